-- The team whose request made the environment; null: shared by all teams. Written once, when the row is made. Replicas
-- of the version before write no team: what they make is shared.
ALTER TABLE environments ADD COLUMN team text;

-- A run in a protected environment that waits for the approval of its plan, with all that the run is made of. The vote
-- that grants the approval removes the row and makes the run in one transaction.
CREATE TABLE planned_runs (
    approval_id     uuid PRIMARY KEY REFERENCES approvals ON DELETE CASCADE,
    run_id          uuid   NOT NULL,
    summary         json   NOT NULL,                      -- what approvers see; secrets masked
    definition_hash text   NOT NULL,
    definition      json   NOT NULL,
    provider        text   NOT NULL,
    workflow        text   NOT NULL,
    inputs          json   NOT NULL,                      -- sealed as those of the run
    time_limit_ms   bigint
);
