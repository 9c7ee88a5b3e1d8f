SET lock_timeout = '10min'; -- a concurrent build waits for old transactions and holds up no one

-- Whether a gate of an application waits is found without a look at all its resources.
CREATE INDEX CONCURRENTLY IF NOT EXISTS resources_with_waiting_gates ON resources (owner_id) WHERE gate = 'waiting';

RESET lock_timeout;
