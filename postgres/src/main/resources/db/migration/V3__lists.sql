-- Lists of runs beside very many that have ended: each filter finds its newest rows in an index.
-- While they are built runs are read as ever, writing them waits. V4 drops the index that the first
-- one replaces: it has to lock readers out, and whoever reads and waits to write would never let it.

-- By name, since an application that went with its environment has no row of its own any more.
CREATE INDEX runs_by_application ON runs (application, id) WHERE application IS NOT NULL;
CREATE INDEX runs_of_team ON runs (team, id);
CREATE INDEX runs_of_environment ON runs (environment, id);

-- Nearly all have succeeded: those that have not are found by their state.
CREATE INDEX runs_unfinished ON runs (state, id) WHERE state IN ('pending', 'running', 'waiting');
CREATE INDEX runs_unsuccessful ON runs (state, id) WHERE state IN ('failed', 'partial', 'cancelled');

-- The checks of a deployment.
CREATE INDEX runs_of_checks ON runs (application_id, id) WHERE kind = 'platform';
