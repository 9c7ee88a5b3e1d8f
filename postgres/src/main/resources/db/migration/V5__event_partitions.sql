-- Events in one partition a day, so that retention drops tables instead of deleting rows. Ids come from a
-- sequence; writers share no lock, and readers show an id only when no smaller one can still appear
-- (events/SettledMark). Identity columns of partitioned tables need PostgreSQL 17, a default does not.
--
-- The table so far becomes the partition of all days up to the day after tomorrow and goes when they are
-- over. Attaching it reads it once, about a second for each million of events; transactions that append
-- wait for that. Replicas of version 4 insert into `events` as before.
DO $$
DECLARE
    days_begin timestamptz := date_trunc('day', now(), 'UTC') + interval '48 hours';
    last_id    bigint;
    drawn      boolean;
BEGIN
    LOCK TABLE events IN ACCESS EXCLUSIVE MODE;
    SELECT last_value, is_called INTO last_id, drawn FROM events_id_seq;
    ALTER TABLE events ALTER COLUMN id DROP IDENTITY;
    ALTER TABLE events RENAME TO events_before_days;
    ALTER INDEX events_pkey RENAME TO events_before_days_pkey;
    ALTER INDEX events_of_application RENAME TO events_before_days_of_application;
    ALTER INDEX events_by_age RENAME TO events_before_days_by_age;

    CREATE SEQUENCE events_id_seq AS bigint CACHE 1;
    PERFORM setval('events_id_seq', last_id, drawn);

    -- Each partition has its own primary key: one of all would have to include the day.
    CREATE TABLE events (
        id          bigint      NOT NULL DEFAULT nextval('events_id_seq'),
        type        text        NOT NULL,
        application text,
        environment text,
        team        text,                                      -- null: every team may see it
        source      text        NOT NULL,
        at          timestamptz NOT NULL,
        data        json        NOT NULL
    ) PARTITION BY RANGE (at);
    ALTER SEQUENCE events_id_seq OWNED BY events.id;

    -- Days without a partition: after a leap of the clock, or when no replica has run for a week. Its
    -- indexes are the pattern for those of the days.
    CREATE TABLE events_other_days PARTITION OF events DEFAULT;
    ALTER TABLE events_other_days ADD PRIMARY KEY (id);
    CREATE INDEX events_other_days_of_application ON events_other_days (application, environment, id)
        WHERE application IS NOT NULL;

    WITH late AS (DELETE FROM events_before_days WHERE at >= days_begin RETURNING *)
    INSERT INTO events_other_days SELECT * FROM late;
    EXECUTE format('ALTER TABLE events ATTACH PARTITION events_before_days FOR VALUES FROM (MINVALUE) TO (%L)',
                   days_begin);
END
$$;
