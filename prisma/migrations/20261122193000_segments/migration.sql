-- Who is meant, saved with a name, and how the list shows them.
CREATE TABLE segments (
  id uuid NOT NULL PRIMARY KEY,
  newsletter_id uuid NOT NULL REFERENCES newsletters (id) ON DELETE CASCADE ON UPDATE CASCADE,
  name text NOT NULL,
  canonical text NOT NULL,
  groups jsonb NOT NULL,
  "order" text NOT NULL,
  columns jsonb, -- null: the columns that each reader has chosen
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX segments_canonical ON segments (newsletter_id, canonical);
