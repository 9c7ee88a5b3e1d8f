SET lock_timeout = '10min'; -- a concurrent build waits for old transactions and holds up no one
-- Lists of applications and approvals read a page of one of these.
CREATE INDEX CONCURRENTLY IF NOT EXISTS applications_of_team ON applications (team, environment, name);
CREATE INDEX CONCURRENTLY IF NOT EXISTS applications_by_state ON applications (state, environment, name) WHERE deleted_at IS NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS approvals_by_state ON approvals (state, id);
CREATE INDEX CONCURRENTLY IF NOT EXISTS approvals_of_team ON approvals (team, state, id);
CREATE INDEX CONCURRENTLY IF NOT EXISTS approvals_by_voter ON approvals USING gin (users, teams);

-- Whether a plan is still needed, and what was done to one object or by one user.
CREATE INDEX CONCURRENTLY IF NOT EXISTS deployments_of_plan ON deployments (plan_hash);
CREATE INDEX CONCURRENTLY IF NOT EXISTS revisions_of_plan ON revisions (plan_hash);
CREATE INDEX CONCURRENTLY IF NOT EXISTS audit_of_object ON audit (object, id);
CREATE INDEX CONCURRENTLY IF NOT EXISTS audit_of_user ON audit (user_name, id);
CREATE INDEX CONCURRENTLY IF NOT EXISTS audit_of_action ON audit (action, id);
RESET lock_timeout;
