SET lock_timeout = '10min'; -- a concurrent build waits for old transactions and holds up no one

-- What an application still works on is found without a look at all its resources.
CREATE INDEX CONCURRENTLY IF NOT EXISTS resources_unsettled_of_owner ON resources (owner_id, state) WHERE state NOT IN ('active', 'deleted');

-- Only the checks of applications: a run of no application is not looked for by one.
CREATE INDEX CONCURRENTLY IF NOT EXISTS runs_of_application_checks ON runs (application_id, id) WHERE kind = 'platform' AND application_id IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS runs_of_checks;

RESET lock_timeout;
