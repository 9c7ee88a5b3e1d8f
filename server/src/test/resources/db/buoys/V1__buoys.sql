CREATE TABLE buoys (
  name text PRIMARY KEY,
  team text NOT NULL REFERENCES teams (name),
  state text NOT NULL CHECK (state IN ('adrift', 'moored', 'lost'))
);
