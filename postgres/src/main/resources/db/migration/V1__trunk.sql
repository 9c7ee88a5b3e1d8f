-- The state of record of the trunk. Trees of values are jsonb; a secret leaf in one of them is
-- {"$sealed": "..."} and is never stored in the clear. Times come from the engine's clock, which follows
-- the database's. Ids are UUID version 7, so that they sort by age.

-- ---------------------------------------------------------------- people

CREATE TABLE teams (
    name        text PRIMARY KEY,
    description text        NOT NULL DEFAULT '',
    created_at  timestamptz NOT NULL
);

CREATE TABLE users (
    name          text PRIMARY KEY,
    display_name  text        NOT NULL DEFAULT '',
    password_hash text,                                    -- PBKDF2; null: no login by password
    disabled      boolean     NOT NULL DEFAULT false,
    version       bigint      NOT NULL DEFAULT 1,          -- ETag
    created_at    timestamptz NOT NULL
);

-- Roles add up, per team; team '*' is every team (operators and administrators).
CREATE TABLE role_bindings (
    user_name text NOT NULL REFERENCES users ON DELETE CASCADE,
    team      text NOT NULL,
    role      text NOT NULL CHECK (role IN ('viewer', 'developer', 'approver', 'operator', 'admin')),
    PRIMARY KEY (user_name, team, role)
);

CREATE TABLE api_keys (
    id           uuid PRIMARY KEY,
    user_name    text        NOT NULL REFERENCES users ON DELETE CASCADE,
    name         text        NOT NULL,
    hash         bytea       NOT NULL UNIQUE,              -- SHA-256 of the token; looked up by index
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz,
    last_used_at timestamptz,
    revoked_at   timestamptz
);
CREATE INDEX api_keys_of_user ON api_keys (user_name, id);

CREATE TABLE login_sessions (
    id         uuid PRIMARY KEY,
    user_name  text        NOT NULL REFERENCES users ON DELETE CASCADE,
    hash       bytea       NOT NULL UNIQUE,                -- SHA-256 of the token
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);

-- ---------------------------------------------------------------- what is asked for

CREATE TABLE environments (
    name               text PRIMARY KEY,
    type               text        NOT NULL DEFAULT 'standard',
    ttl                interval,
    expires_at         timestamptz,
    expiry_announced   boolean     NOT NULL DEFAULT false,
    cluster            text,
    namespace_template text,
    protected          boolean     NOT NULL DEFAULT false,
    variables          jsonb       NOT NULL DEFAULT '{}',
    deletion_policy    text,
    deleting           boolean     NOT NULL DEFAULT false, -- goes when its last application has gone
    version            bigint      NOT NULL DEFAULT 1,     -- ETag
    created_at         timestamptz NOT NULL,
    updated_at         timestamptz NOT NULL
);

CREATE TABLE applications (
    id          uuid PRIMARY KEY,
    environment text        NOT NULL REFERENCES environments,
    name        text        NOT NULL,
    team        text        NOT NULL,
    revision    int         NOT NULL,                      -- the one being made real; 0: the first one waits for approval
    state       text        NOT NULL,                      -- derived from the resources, kept for lists
    workload    json,                                      -- containers and service with every placeholder bound, secrets sealed
    workload_hash text,                                    -- over the same with secrets by fingerprint
    version     bigint      NOT NULL DEFAULT 1,            -- ETag
    created_by  text        NOT NULL,
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    deleted_at  timestamptz
);
-- A name is free again once its application has gone: the same team takes its history up, another starts anew.
CREATE UNIQUE INDEX applications_by_name ON applications (environment, name) WHERE deleted_at IS NULL;

CREATE TABLE revisions (
    application_id uuid        NOT NULL REFERENCES applications ON DELETE CASCADE,
    revision       int         NOT NULL,
    spec           json        NOT NULL,                   -- the upgraded Score document, secrets sealed
    spec_hash      text        NOT NULL,                   -- over it, secrets by fingerprint
    workload       json        NOT NULL,                   -- containers and service, only placeholders of resources left
    graph          json        NOT NULL,                   -- nodes and edges of this revision, for its history
    plan_hash      text        NOT NULL,
    created_by     text        NOT NULL,
    created_at     timestamptz NOT NULL,
    PRIMARY KEY (application_id, revision)
);

CREATE TABLE plans (
    hash           text PRIMARY KEY,
    environment    text        NOT NULL,
    application    text        NOT NULL,
    team           text        NOT NULL,
    body           json        NOT NULL,
    created_by     text        NOT NULL,
    created_at     timestamptz NOT NULL
);

CREATE TABLE deployments (
    id             uuid PRIMARY KEY,
    application_id uuid        NOT NULL REFERENCES applications ON DELETE CASCADE,
    revision       int         NOT NULL,
    kind           text        NOT NULL CHECK (kind IN ('deploy', 'teardown', 'rollback')),
    status         text        NOT NULL CHECK (status IN ('waiting', 'running', 'completed', 'failed', 'superseded')),
    plan_hash      text        NOT NULL,
    choices        json        NOT NULL DEFAULT '{}',      -- what was confirmed: names to replace, names to orphan
    approval_id    uuid,
    error          json,
    created_by     text        NOT NULL,
    created_at     timestamptz NOT NULL,
    applied_at     timestamptz,                            -- when it took effect; null: it waits, or never did
    completed_at   timestamptz
);
CREATE INDEX deployments_of_application ON deployments (application_id, created_at);
CREATE INDEX deployments_open ON deployments (application_id) WHERE status IN ('waiting', 'running');

-- ---------------------------------------------------------------- resources

CREATE TABLE resources (
    id              uuid PRIMARY KEY,
    environment     text        NOT NULL REFERENCES environments,
    identity        text        NOT NULL,                  -- type.class#id
    type            text        NOT NULL,
    class           text        NOT NULL,
    owner_id        uuid        NOT NULL REFERENCES applications,
    name            text        NOT NULL,                  -- in the owner's spec
    defined_by      uuid        NOT NULL,                  -- the application whose params and metadata count
    team            text        NOT NULL,
    wanted          boolean     NOT NULL DEFAULT true,     -- false: some deletion was asked for
    detached        boolean     NOT NULL DEFAULT false,    -- retained after its last user went
    replacing       boolean     NOT NULL DEFAULT false,    -- to be deleted and created anew
    metadata        jsonb       NOT NULL DEFAULT '{}',
    params          jsonb       NOT NULL DEFAULT '{}',     -- as asked for, with placeholders of resources, secrets sealed
    desired_hash    text        NOT NULL,                  -- over params and metadata as asked for
    applied_params  jsonb,                                 -- resolved; of the last run that succeeded, secrets sealed
    applied_hash    text,                                  -- over the resolved params of the last run that succeeded
    attempted_params jsonb,                                -- resolved; of the last run that was made, secrets sealed
    attempted_hash  text,                                  -- over them
    outputs         jsonb       NOT NULL DEFAULT '{}',     -- secrets sealed
    shared_with     text[]      NOT NULL DEFAULT '{}',
    deletion_policy text        NOT NULL DEFAULT 'delete' CHECK (deletion_policy IN ('delete', 'retain', 'orphan')),
    provider        text,
    state           text        NOT NULL CHECK (state IN ('requested', 'provisioning', 'active', 'updating', 'degraded', 'failed', 'deprovisioning', 'deleted')),
    state_since     timestamptz NOT NULL,
    health          text        NOT NULL DEFAULT 'Unknown',
    reason          jsonb,                                 -- {code, message, hint} of whatever is not well
    ever_active     boolean     NOT NULL DEFAULT false,
    ever_started    boolean     NOT NULL DEFAULT false,    -- some step of some run began in this incarnation
    delete_failed   boolean     NOT NULL DEFAULT false,
    incarnation     int         NOT NULL DEFAULT 1,
    run_id          uuid,                                  -- the run in charge now, or the last one
    version         bigint      NOT NULL DEFAULT 1,        -- ETag
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL
);
CREATE UNIQUE INDEX resources_by_identity ON resources (environment, identity) WHERE state <> 'deleted' OR wanted;
CREATE INDEX resources_of_owner ON resources (owner_id);
CREATE INDEX resources_not_settled ON resources (state) WHERE state NOT IN ('active', 'deleted');

-- Which applications use a resource, and under which name. The oldest is the owner.
CREATE TABLE resource_users (
    resource_id    uuid        NOT NULL REFERENCES resources ON DELETE CASCADE,
    application_id uuid        NOT NULL REFERENCES applications ON DELETE CASCADE,
    name           text        NOT NULL,
    bound          boolean     NOT NULL DEFAULT false,     -- a container refers to it: a binds edge
    since          timestamptz NOT NULL,
    PRIMARY KEY (resource_id, application_id, name)
);
CREATE INDEX resource_users_of_application ON resource_users (application_id);

CREATE TABLE resource_dependencies (
    resource_id uuid NOT NULL REFERENCES resources ON DELETE CASCADE,
    depends_on  uuid NOT NULL REFERENCES resources ON DELETE CASCADE,
    name        text NOT NULL,                             -- by which its params call the other one
    wanted      boolean NOT NULL DEFAULT true,             -- false: of the configuration before; goes when the new one is applied
    PRIMARY KEY (resource_id, depends_on, name)
);
CREATE INDEX resource_dependents ON resource_dependencies (depends_on);

CREATE TABLE resource_transitions (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    resource_id uuid        NOT NULL,
    incarnation int         NOT NULL,
    from_state  text,
    to_state    text        NOT NULL,
    actor       text        NOT NULL,
    reason      text        NOT NULL,
    run_id      uuid,
    epoch       bigint,
    at          timestamptz NOT NULL
);
CREATE INDEX resource_transitions_of_resource ON resource_transitions (resource_id, id);

-- Applications whose next move has to be worked out. Rows are only ever added by whoever changed something
-- and removed by whoever worked it out, so that the two never wait for each other.
CREATE TABLE wakeups (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    application_id uuid        NOT NULL,
    at             timestamptz NOT NULL                    -- not before
);

-- ---------------------------------------------------------------- runs

-- What runs execute, once per content: the workflow with everything needed to run it years later.
CREATE TABLE definitions (
    hash       text PRIMARY KEY,                           -- over the body
    body       json        NOT NULL,                       -- provider, version, commit, directory, configuration, workflow source
    created_at timestamptz NOT NULL
);

-- The tables below take most of the writes. They refer to each other without foreign keys, because each
-- check would lock the run's row once more; whoever removes a run removes what belongs to it. Trees that
-- nobody queries are json, not jsonb: cheaper to write, and keys keep their order.
CREATE TABLE runs (
    id              uuid PRIMARY KEY,
    kind            text        NOT NULL CHECK (kind IN ('resource', 'golden-path', 'platform', 'child', 'rollback')),
    definition_hash text        NOT NULL,                  -- definitions
    provider        text        NOT NULL,
    workflow        text        NOT NULL,
    operation       text,
    application_id  uuid,
    application     text,                                  -- names as they were, for lists and events
    resource_id     uuid,
    resource        text,
    resource_type   text,
    deployment_id   uuid,
    environment     text        NOT NULL,
    team            text        NOT NULL,
    parent_run_id   uuid,                                  -- the run it retries, or that it is a child of
    inputs          json        NOT NULL,                  -- {parameters, context, outputs}; secrets sealed
    variables       json,
    outputs         json,
    state           text        NOT NULL CHECK (state IN ('pending', 'running', 'waiting', 'succeeded', 'failed', 'partial', 'cancelled')),
    rollback        text CHECK (rollback IN ('complete', 'incomplete')),
    error           json,                                  -- {code, message, kind, hint}
    -- When the run may be claimed: at once, when its next timer is due, or when its owner's lease has run out.
    -- Null: finished, or waiting for a signal alone. This one column is queue, timer and lease.
    claimable_at    timestamptz,
    owner           text,                                  -- replica/process
    epoch           bigint      NOT NULL DEFAULT 0,        -- fencing: raised by each claim, checked by each write
    version         bigint      NOT NULL DEFAULT 0,        -- raised by each write of the owner: tells a repeated write from a lost one
    signals         int         NOT NULL DEFAULT 0,        -- raised from outside (cancel, approval): none is lost between look and park
    cancel          text CHECK (cancel IN ('requested', 'forced')),
    created_by      text        NOT NULL,
    created_at      timestamptz NOT NULL,
    started_at      timestamptz,
    finished_at     timestamptz,
    time_limit_ms   bigint,                                -- from the first claim on
    deadline_at     timestamptz,
    paused_at       timestamptz                            -- since when the deadline stands still
) WITH (fillfactor = 70);
CREATE INDEX runs_claimable ON runs (claimable_at) WHERE claimable_at IS NOT NULL;
CREATE INDEX runs_of_application ON runs (application_id, id) WHERE application_id IS NOT NULL;
CREATE INDEX runs_of_resource ON runs (resource_id, id) WHERE resource_id IS NOT NULL;

-- A row appears with a step's first transition; steps without one are pending.
CREATE TABLE steps (
    run_id      uuid        NOT NULL,
    name        text        NOT NULL,
    state       text        NOT NULL CHECK (state IN ('pending', 'running', 'waiting', 'succeeded', 'failed', 'skipped', 'cancelled', 'rolled-back')),
    attempt     int         NOT NULL DEFAULT 1,
    wake_at     timestamptz,                               -- timer: backoff, wait, poll, approval expiry
    waiting_for text,
    memory      json,                                      -- what its executor keeps while it waits
    limits      text CHECK (limits IN ('all', 'run', 'none')), -- which time limits go on while it waits
    input_hash  text,
    outputs     json,                                      -- secrets sealed
    error       json,
    carried     boolean     NOT NULL DEFAULT false,        -- taken over from the run that this one retries
    started_at  timestamptz,                               -- of this attempt
    finished_at timestamptz,
    PRIMARY KEY (run_id, name)
) WITH (fillfactor = 70);

-- Attempts that failed and were followed by another one. The current attempt is in steps.
CREATE TABLE attempts (
    run_id      uuid        NOT NULL,
    step        text        NOT NULL,
    attempt     int         NOT NULL,
    error       json        NOT NULL,
    started_at  timestamptz,
    finished_at timestamptz NOT NULL,
    PRIMARY KEY (run_id, step, attempt)
);

-- What steps said. A recovered attempt goes on under a new epoch, so order is (attempt, epoch, seq).
CREATE TABLE step_logs (
    run_id  uuid        NOT NULL,
    step    text        NOT NULL,
    attempt int         NOT NULL,
    epoch   bigint      NOT NULL,
    seq     int         NOT NULL,                          -- of the chunk
    at      timestamptz NOT NULL,
    lines   text        NOT NULL,                          -- one JSON object a line: {t, s, m}
    PRIMARY KEY (run_id, step, attempt, epoch, seq)
);

CREATE TABLE approvals (
    id           uuid PRIMARY KEY,
    kind         text        NOT NULL CHECK (kind IN ('step', 'plan')),
    run_id       uuid,
    step         text,
    deployment_id uuid,
    application  text,
    environment  text        NOT NULL,
    team         text        NOT NULL,
    hash         text        NOT NULL,                     -- what is approved: step inputs or plan
    message      text        NOT NULL,
    users        text[]      NOT NULL DEFAULT '{}',
    teams        text[]      NOT NULL DEFAULT '{}',
    roles        text[]      NOT NULL DEFAULT '{}',
    required     int         NOT NULL DEFAULT 1,
    allow_self   boolean     NOT NULL DEFAULT false,
    requested_by text        NOT NULL,
    state        text        NOT NULL CHECK (state IN ('pending', 'granted', 'rejected', 'expired', 'void')),
    expires_at   timestamptz NOT NULL,
    created_at   timestamptz NOT NULL,
    decided_at   timestamptz
);
CREATE INDEX approvals_pending ON approvals (expires_at) WHERE state = 'pending';
CREATE UNIQUE INDEX approvals_of_step ON approvals (run_id, step, hash) WHERE kind = 'step';

CREATE TABLE approval_votes (
    approval_id uuid        NOT NULL REFERENCES approvals ON DELETE CASCADE,
    user_name   text        NOT NULL,
    decision    text        NOT NULL CHECK (decision IN ('approve', 'reject')),
    comment     text        NOT NULL DEFAULT '',
    at          timestamptz NOT NULL,
    PRIMARY KEY (approval_id, user_name)
);

-- ---------------------------------------------------------------- what happened

-- Append-only. Whoever inserts holds advisory lock EVENTS until its commit, so that ids become visible in
-- their order and a reader who has seen id n never misses a smaller one.
CREATE TABLE events (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    type        text        NOT NULL,
    application text,
    environment text,
    team        text,                                      -- null: everybody may see it
    source      text        NOT NULL,
    at          timestamptz NOT NULL,
    data        json        NOT NULL
);
CREATE INDEX events_of_application ON events (application, environment, id) WHERE application IS NOT NULL;
CREATE INDEX events_by_age ON events USING brin (at);

CREATE TABLE audit (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at        timestamptz NOT NULL,
    user_name text        NOT NULL,
    action    text        NOT NULL,
    object    text        NOT NULL,
    team      text,
    outcome   text        NOT NULL,
    detail    jsonb       NOT NULL DEFAULT '{}'
);

CREATE TABLE idempotency_keys (
    user_name  text        NOT NULL,
    key        text        NOT NULL,
    route      text        NOT NULL,
    body_hash  bytea       NOT NULL,
    status     int,                                        -- null: still running
    reply      bytea,                                      -- headers and body, sealed: it may hold a new token
    created_at timestamptz NOT NULL,
    PRIMARY KEY (user_name, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- Replicas that share this database; a dead one's runs are given back when its own successor starts.
CREATE TABLE replicas (
    name       text PRIMARY KEY,
    address    text        NOT NULL,
    version    text        NOT NULL,
    started_at timestamptz NOT NULL,
    seen_at    timestamptz NOT NULL
);

INSERT INTO environments (name, created_at, updated_at) VALUES ('default', now(), now());
