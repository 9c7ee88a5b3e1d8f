-- ---------------------------------------------------------------- what was seen of nodes

-- The newest sample of each node, and what the samples before it add. Nothing here follows from a state.
CREATE TABLE node_health (
    node       text PRIMARY KEY,                           -- canonical text of a node reference
    health     text        NOT NULL CHECK (health IN ('Healthy', 'Progressing', 'Degraded', 'Suspended', 'Missing', 'Unknown', 'Failed')),
    request    text,                                       -- the attempt that the sample belongs to; null: to none
    revision   text        NOT NULL,
    sampled_at timestamptz NOT NULL,                       -- when the look began
    since      timestamptz NOT NULL,                       -- the same health for the same request without a break
    seen       boolean     NOT NULL,                       -- found there by a sample of the same request
    stale      json        NOT NULL DEFAULT '[]',          -- tests of freshness that failed: [{test, wanted, seen}]
    message    text        NOT NULL DEFAULT '',
    rule       text        NOT NULL
) WITH (fillfactor = 80);

-- Changes only.
CREATE TABLE health_history (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    node     text        NOT NULL,
    at       timestamptz NOT NULL,
    health   text        NOT NULL,
    revision text        NOT NULL,
    message  text        NOT NULL DEFAULT ''
);
CREATE INDEX health_history_of_node ON health_history (node, id);

-- Open gates only: each written sample of the node signals these keys.
CREATE TABLE gate_waits (
    node text NOT NULL,
    kind text NOT NULL,
    key  text NOT NULL,
    item text,
    UNIQUE NULLS NOT DISTINCT (node, kind, key, item)
);
