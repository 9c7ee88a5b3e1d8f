-- ---------------------------------------------------------------- when resources are looked at

-- One row for each resource that is looked at. Turns of a shard take what is due, the longest due first, so that what there
-- is no room for waits here and is not written again. Without a foreign key: a row whose resource is gone is deleted by the
-- turn that finds so.
CREATE TABLE looks (
    resource_id uuid PRIMARY KEY,
    shard       smallint    NOT NULL,                      -- by the last two bits of the id: a key of the reconcile loop
    due_at      timestamptz NOT NULL,
    asked       timestamptz                                -- a look has to begin after that: a run has ended or a gate waits;
                                                           -- null: of the schedule, which comes after those
);
CREATE INDEX looks_due ON looks (shard, due_at);

INSERT INTO looks (resource_id, shard, due_at)
SELECT id, get_byte(uuid_send(id), 15) & 3, now() + random() * interval '5 minutes'
  FROM resources WHERE state IN ('active', 'degraded') OR state = 'failed' AND applied_params IS NOT NULL;

-- Before, each resource was a key of its own.
DELETE FROM timers WHERE kind = 'look';
INSERT INTO timers (kind, key, due_at) SELECT DISTINCT 'look', shard::text, now() FROM looks;
