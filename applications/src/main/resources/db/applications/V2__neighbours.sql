-- ---------------------------------------------------------------- a turn looks at what has changed and its neighbours

-- What the last decision about a resource found, where its row does not tell: the neighbour that it waits for, or its own
-- id when it is active and other than asked for.
ALTER TABLE resources ADD COLUMN waits_for uuid;

-- The version of this row when everything was looked at last and waits_for was right. Null, or another version than the
-- present one: the next turn looks at everything. Replicas of the version before raise the version and leave this.
ALTER TABLE applications ADD COLUMN decided_version bigint;
