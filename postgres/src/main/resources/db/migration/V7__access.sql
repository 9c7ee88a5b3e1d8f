-- ---------------------------------------------------------------- idempotency keys

-- A key counts for one caller and one route: method and path, without the query. The column is generated, so that
-- replicas of the version before, which know nothing of it, write rows that fit.
ALTER TABLE idempotency_keys
    ADD COLUMN scope text GENERATED ALWAYS AS (split_part(route, '?', 1)) STORED;
ALTER TABLE idempotency_keys DROP CONSTRAINT idempotency_keys_pkey;
ALTER TABLE idempotency_keys ADD PRIMARY KEY (user_name, key, scope);

-- ---------------------------------------------------------------- logins

-- Attempts to sign in that have not succeeded, counted for all replicas by account and address, by account and by
-- address. Rows end by themselves: an expired one counts as none and is removed with the next attempts. Unlogged: a
-- crash of the database forgets them, which costs an attacker's lock of a minute and no data.
CREATE UNLOGGED TABLE login_attempts (
    key        bytea PRIMARY KEY,                          -- SHA-256 of what is counted: a typed name may be a password
    attempts   int         NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX login_attempts_by_end ON login_attempts (expires_at);

-- Addresses from which an account has signed in. Failures from elsewhere do not lock it out there. The newest few of
-- each account are kept.
CREATE TABLE login_addresses (
    user_name text        NOT NULL REFERENCES users (name) ON DELETE CASCADE,
    address   text        NOT NULL,
    seen_at   timestamptz NOT NULL,
    PRIMARY KEY (user_name, address)
);
