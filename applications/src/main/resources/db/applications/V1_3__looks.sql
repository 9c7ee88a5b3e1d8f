-- Resources that exist before the upgrade are looked at within five minutes, not all at once. A replica of the version
-- before leaves timers of a kind that it does not know.
INSERT INTO timers (kind, key, due_at)
SELECT 'look', id::text, now() + random() * interval '5 minutes' FROM resources WHERE state IN ('active', 'degraded')
    ON CONFLICT (kind, key) DO NOTHING;
