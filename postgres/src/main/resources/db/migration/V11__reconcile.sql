-- ---------------------------------------------------------------- one reconcile loop for all kinds of nodes

-- Runs name the key that is reconciled when they have begun and ended, and say what they found. The columns of
-- applications stay: replicas of the version before read and write them.
ALTER TABLE runs ADD COLUMN subject_kind text,             -- null: no reconciler waits for it
                 ADD COLUMN subject_key  text,
                 ADD COLUMN item         text,             -- of the key: the part that the run works on; null: the whole
                 ADD COLUMN cause        text,             -- why it was made
                 ADD COLUMN report       json;             -- of its end: {effect, reason, error}; null: none, or written by version 10

-- The run whose report this row has taken over: a report is applied once.
ALTER TABLE resources ADD COLUMN reported_run uuid;

-- "Look at this key." Rows are inserted by the transaction that changed something and deleted by the turn of the
-- key; they are never updated, so that the two never wait for each other.
CREATE TABLE signals (
    id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text        NOT NULL,
    key  text        NOT NULL,
    item text,                                             -- null: everything of the key
    run  uuid,                                             -- the run that has begun or ended
    at   timestamptz NOT NULL
);
CREATE INDEX signals_of_key ON signals (kind, key);

-- When a key is looked at without a signal, and how often its turn has failed in a row. Written by the holder of
-- the key's lock only.
CREATE TABLE timers (
    kind     text        NOT NULL,
    key      text        NOT NULL,
    due_at   timestamptz NOT NULL,
    failures int         NOT NULL DEFAULT 0,
    error    text,
    PRIMARY KEY (kind, key)
);
CREATE INDEX timers_due ON timers (kind, due_at);

-- What one replica at a time does: a poller, a shard of a controller.
CREATE TABLE leases (
    name       text PRIMARY KEY,
    owner      text        NOT NULL,
    epoch      bigint      NOT NULL,                       -- fencing: raised by each new owner
    expires_at timestamptz NOT NULL
);

-- ---------------------------------------------------------------- beside replicas of the version before

-- They write wake-ups, make runs without a subject, and decide by the states of resources alone.
INSERT INTO signals (kind, key, at) SELECT DISTINCT 'application', application_id::text, now() FROM wakeups;

UPDATE runs
   SET subject_kind = 'application', subject_key = application_id::text, item = resource_id::text
 WHERE state IN ('pending', 'running', 'waiting') AND kind IN ('resource', 'platform') AND application_id IS NOT NULL;

CREATE FUNCTION signal_of_wakeup() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO signals (kind, key, at) VALUES ('application', NEW.application_id::text, now());
    RETURN NULL;
END $$;
CREATE TRIGGER wakeups_signal AFTER INSERT ON wakeups FOR EACH ROW EXECUTE FUNCTION signal_of_wakeup();

CREATE FUNCTION subject_of_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.subject_kind := 'application';
    NEW.subject_key := NEW.application_id::text;
    NEW.item := NEW.resource_id::text;
    RETURN NEW;
END $$;
CREATE TRIGGER runs_subject BEFORE INSERT ON runs FOR EACH ROW
    WHEN (NEW.subject_kind IS NULL AND NEW.application_id IS NOT NULL AND NEW.kind IN ('resource', 'platform'))
    EXECUTE FUNCTION subject_of_run();

-- Until the report of the run in charge has been taken over, the state of its resource is that of before: a
-- decision by that state would begin the same work again. 40001: the transaction is tried again.
CREATE FUNCTION refuse_before_report() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM runs r
                WHERE r.id = OLD.run_id AND r.finished_at IS NOT NULL
                  AND (r.report IS NOT NULL
                       OR OLD.state = 'requested' AND r.version > 1 AND NOT OLD.ever_started)) THEN
        RAISE EXCEPTION 'resource %: the report of run % has to be applied first', OLD.id, OLD.run_id
              USING ERRCODE = 'serialization_failure';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER resources_reported BEFORE UPDATE OF state, run_id ON resources FOR EACH ROW
    WHEN (OLD.run_id IS NOT NULL AND OLD.state IN ('requested', 'provisioning', 'updating', 'deprovisioning')
          AND OLD.reported_run IS DISTINCT FROM OLD.run_id AND NEW.reported_run IS DISTINCT FROM OLD.run_id
          AND (OLD.state <> NEW.state OR OLD.run_id IS DISTINCT FROM NEW.run_id))
    EXECUTE FUNCTION refuse_before_report();
