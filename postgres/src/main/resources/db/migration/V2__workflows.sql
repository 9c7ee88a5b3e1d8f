-- ---------------------------------------------------------------- requests

-- Which process carries a request out: when it dies, its successor frees the key at once.
ALTER TABLE idempotency_keys ADD COLUMN owner text;
