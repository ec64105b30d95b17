-- What a newsletter knows of its people beyond address and name. Values and tags stand in the subscriber's row by number, so that
-- a label, a tag's spelling or a field's end touches one row. Numbers are given once in a newsletter.
ALTER TABLE newsletters ADD COLUMN last_number integer NOT NULL DEFAULT 0;

CREATE TABLE fields (
  newsletter_id uuid NOT NULL REFERENCES newsletters (id) ON DELETE CASCADE ON UPDATE CASCADE,
  number integer NOT NULL,
  key text NOT NULL,
  label text NOT NULL,
  type text NOT NULL CHECK (type IN ('text', 'number', 'date', 'boolean', 'choice')),
  choices text[] NOT NULL DEFAULT '{}',
  required boolean NOT NULL DEFAULT false,
  position integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Housekeeping takes the values of a deleted field out of the subscribers, and then its row.
  deleted_at timestamptz(3),
  PRIMARY KEY (newsletter_id, number)
);
CREATE UNIQUE INDEX fields_key ON fields (newsletter_id, key) WHERE deleted_at IS NULL;

CREATE TABLE tags (
  newsletter_id uuid NOT NULL REFERENCES newsletters (id) ON DELETE CASCADE ON UPDATE CASCADE,
  number integer NOT NULL,
  name text NOT NULL,
  canonical text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (newsletter_id, number)
);
CREATE UNIQUE INDEX tags_canonical ON tags (newsletter_id, canonical);

ALTER TABLE subscribers
  ADD COLUMN fields jsonb,
  ADD COLUMN tags integer[],
  -- Null until the first change.
  ADD COLUMN updated_at timestamptz(3);
-- Partial, so that a subscriber without fields and tags costs them nothing.
CREATE INDEX subscribers_fields ON subscribers USING gin (fields jsonb_path_ops) WHERE fields IS NOT NULL;
CREATE INDEX subscribers_tags ON subscribers USING gin (tags) WHERE tags IS NOT NULL;
