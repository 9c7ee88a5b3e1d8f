SET lock_timeout = '10min'; -- a concurrent build waits for old transactions and holds up no one
CREATE INDEX CONCURRENTLY IF NOT EXISTS applications_of_team ON applications (team, environment, name);
CREATE INDEX CONCURRENTLY IF NOT EXISTS applications_by_state ON applications (state, environment, name) WHERE deleted_at IS NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS approvals_by_state ON approvals (state, id);
CREATE INDEX CONCURRENTLY IF NOT EXISTS approvals_of_team ON approvals (team, state, id);
CREATE INDEX CONCURRENTLY IF NOT EXISTS approvals_by_voter ON approvals USING gin (users, teams);
RESET lock_timeout;
