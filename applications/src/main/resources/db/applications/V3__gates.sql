-- ---------------------------------------------------------------- dependents begin when looks find what they need Healthy

-- The gate of the attempt gate_run, which counts while that run is in charge. An attempt that a replica of the version
-- before made has none: that replica begins dependents by the state alone, and so do the replicas of this version.
ALTER TABLE resources ADD COLUMN gate_run   uuid,
                      ADD COLUMN gate       text,          -- closed, waiting, open (for the whole attempt), failed
                      ADD COLUMN gate_since timestamptz,   -- when it began to wait
                      ADD COLUMN gate_look  timestamptz;   -- when the last look that it asked for began

-- Resources that failed are looked at too, if an earlier attempt has made them: within five minutes, not all at once.
INSERT INTO timers (kind, key, due_at)
SELECT 'look', id::text, now() + random() * interval '5 minutes'
  FROM resources WHERE state = 'failed' AND applied_params IS NOT NULL
    ON CONFLICT (kind, key) DO NOTHING;
