-- How the last scheduled backup went, in whichever process: one row.
CREATE TABLE last_backup (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  tried_at timestamptz(3),
  -- Of the last that is whole.
  made_at timestamptz(3),
  file text,
  bytes bigint,
  error text -- of the last try; null when it worked
);
INSERT INTO last_backup DEFAULT VALUES;
