-- ---------------------------------------------------------------- what runs are for, as nodes

-- Canonical texts of node references. Null: of a run that is for nothing but itself, or that a replica of schema 12 made;
-- application, resource and the ids beside them stay for those replicas, for lists and for indexes.
ALTER TABLE runs ADD COLUMN root text, ADD COLUMN node text;
