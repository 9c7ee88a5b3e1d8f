-- The id of the key that secrets are sealed with now: a server whose key file lacks it does not start.
-- Null: sealed as the first releases did it, without naming a key.
ALTER TABLE sealing_key ADD COLUMN sealing text;

-- Which keys each replica has, so that a rotation goes on only when every replica can open what it writes.
-- One row a replica; a row that is not renewed for a day is removed.
CREATE TABLE replica_keys (
    replica text PRIMARY KEY,
    sealing text        NOT NULL,                          -- seals with it
    opening text[]      NOT NULL,                          -- can also open what these have sealed
    seen_at timestamptz NOT NULL
);
