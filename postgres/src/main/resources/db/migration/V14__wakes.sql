-- ---------------------------------------------------------------- a decision wakes the key that waits for it

-- The key of the reconcile loop that has its turn when the approval is decided. Null: the run, or nothing, waits for it.
ALTER TABLE approvals ADD COLUMN wake_kind text, ADD COLUMN wake_key text;
