-- ---------------------------------------------------------------- lists cost a page

-- How many resources an application uses and how many of them are active, as of the application's last turn,
-- so that a list of applications reads the applications alone. Null: counted by no turn yet (written by
-- version 4); the list counts those itself.
ALTER TABLE applications ADD COLUMN resource_count int, ADD COLUMN active_count int;

-- ---------------------------------------------------------------- nothing grows for ever

-- A legal hold keeps audit entries beyond their retention until an administrator lifts it. A null does not
-- limit: a row without team, object and times holds every entry.
CREATE TABLE audit_holds (
    id         uuid PRIMARY KEY,
    reason     text        NOT NULL,
    team       text,
    object     text,
    from_at    timestamptz,                                -- entries of this moment and later
    until_at   timestamptz,                                -- entries before this moment
    created_by text        NOT NULL,
    created_at timestamptz NOT NULL,
    lifted_by  text,
    lifted_at  timestamptz
);
