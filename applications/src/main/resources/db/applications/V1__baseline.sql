-- The beginning of a history of its own. Tables of applications that db/migration made (V1 to V12)
-- stay there, because existing databases have applied those scripts; each later change to them, and
-- each new table of this branch, is a script in this folder.
COMMENT ON TABLE applications IS 'of the branch applications: changed by scripts in db/applications only';
