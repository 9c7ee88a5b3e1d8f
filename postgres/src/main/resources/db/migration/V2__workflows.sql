-- ---------------------------------------------------------------- requests

-- Which process carries a request out: when it dies, its successor frees the key at once.
ALTER TABLE idempotency_keys ADD COLUMN owner text;

-- ---------------------------------------------------------------- states of Terraform modules

-- One row a module of a resource, or a workspace that a workflow names. Whoever works on it holds the lock;
-- a write with another lock is refused. To go back to an older state: set version to one of module_states.
CREATE TABLE module_workspaces (
    key         text PRIMARY KEY,
    provider    text        NOT NULL,
    resource_id uuid,                                      -- null: belongs to no resource
    version     bigint,                                    -- the state that counts, in module_states; null: nothing was made yet
    lock_id     uuid,                                      -- null: nobody works on it
    lock_run    uuid,
    lock_step   text,
    lock_epoch  bigint,                                    -- of the run when it took the lock
    locked_at   timestamptz
);
CREATE INDEX module_workspaces_of_resource ON module_workspaces (resource_id) WHERE resource_id IS NOT NULL;

-- The last few states of each workspace, one for each time that somebody held the lock.
CREATE TABLE module_states (
    workspace   text        NOT NULL,                      -- module_workspaces; no foreign key: a state outlives the loss of that row
    version     bigint      NOT NULL,
    lock_id     uuid        NOT NULL,                      -- with which it was written
    run_id      uuid        NOT NULL,
    step        text        NOT NULL,
    refused     boolean     NOT NULL DEFAULT false,        -- written after the lock was lost: never counted, but tells what was made
    state       bytea       NOT NULL,                      -- compressed, then sealed
    written_at  timestamptz NOT NULL,
    PRIMARY KEY (workspace, version)
);


-- ---------------------------------------------------------------- child and rollback runs

-- A child run was called by a step of its parent, in that attempt; a rollback's parent is the run that failed.
ALTER TABLE runs ADD COLUMN parent_step text;
ALTER TABLE runs ADD COLUMN parent_attempt int;
CREATE INDEX runs_of_parent ON runs (parent_run_id, id) WHERE parent_run_id IS NOT NULL;

-- While its rollback runs, a failed run waits for it.
ALTER TABLE runs DROP CONSTRAINT runs_rollback_check;
ALTER TABLE runs ADD CONSTRAINT runs_rollback_check CHECK (rollback IN ('running', 'complete', 'incomplete'));

-- ---------------------------------------------------------------- the key that secrets are sealed with

-- A fingerprint of it, never the key: a server with another key would fail at the first secret, so it does not start.
CREATE TABLE sealing_key (
    one         boolean PRIMARY KEY DEFAULT true CHECK (one),
    fingerprint text        NOT NULL,
    since       timestamptz NOT NULL DEFAULT now()
);
