-- The values of identifying parameters as the create run had them: update, delete and read use these, whatever the
-- document says by then. Null: the create run began under a version that kept no record.
ALTER TABLE resources ADD COLUMN identifying jsonb;
