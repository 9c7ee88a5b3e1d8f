-- ---------------------------------------------------------------- reports are applied by turns

-- The turn of an application, not the writer of runs, moves a resource: the begin of a run is no end, so it needs no report.
CREATE OR REPLACE TRIGGER resources_reported BEFORE UPDATE OF state, run_id ON resources FOR EACH ROW
    WHEN (OLD.run_id IS NOT NULL AND OLD.state IN ('requested', 'provisioning', 'updating', 'deprovisioning')
          AND OLD.reported_run IS DISTINCT FROM OLD.run_id AND NEW.reported_run IS DISTINCT FROM OLD.run_id
          AND (OLD.state <> NEW.state OR OLD.run_id IS DISTINCT FROM NEW.run_id)
          AND NOT (OLD.state = 'requested' AND NEW.state = 'provisioning'))
    EXECUTE FUNCTION refuse_before_report();

-- A resource that failed for want of a provider is requested again with ever_started still set; that its run was made
-- for the present state is told by the times of both.
CREATE OR REPLACE FUNCTION refuse_before_report() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM runs r
                WHERE r.id = OLD.run_id AND r.finished_at IS NOT NULL
                  AND (r.report IS NOT NULL
                       OR OLD.state = 'requested' AND r.version > 1
                          AND (NOT OLD.ever_started OR OLD.state_since <= r.created_at))) THEN
        RAISE EXCEPTION 'resource %: the report of run % has to be applied first', OLD.id, OLD.run_id
              USING ERRCODE = 'serialization_failure';
    END IF;
    RETURN NEW;
END $$;
