SET lock_timeout = '10min'; -- a concurrent build waits for old transactions and holds up no one

-- Only the checks of applications: a run of no application is not looked for by one.
CREATE INDEX CONCURRENTLY IF NOT EXISTS runs_of_application_checks ON runs (application_id, id) WHERE kind = 'platform' AND application_id IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS runs_of_checks;

RESET lock_timeout;
