-- ---------------------------------------------------------------- lists cost a page

-- How many resources an application uses and how many of them are active, as of the application's last turn,
-- so that a list of applications reads the applications alone. Null: counted by no turn yet (written by
-- version 4); the list counts those itself.
ALTER TABLE applications ADD COLUMN resource_count int, ADD COLUMN active_count int;
