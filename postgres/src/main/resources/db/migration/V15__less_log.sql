-- ---------------------------------------------------------------- less write-ahead log for each run

-- Room on a page for the versions of its rows: an update that stays on its page logs what changed instead of the whole
-- row, and one that changes no indexed column adds no index entry. Counts for pages that are written from now on.
ALTER TABLE runs SET (fillfactor = 50);
ALTER TABLE steps SET (fillfactor = 50);
