SET lock_timeout = '10min'; -- a concurrent build waits for old transactions and holds up no one

-- What an application still works on is found without a look at all its resources.
CREATE INDEX CONCURRENTLY IF NOT EXISTS resources_unsettled_of_owner ON resources (owner_id, state) WHERE state NOT IN ('active', 'deleted');

RESET lock_timeout;
