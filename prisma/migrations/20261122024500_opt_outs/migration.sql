-- Whom a pasted list calls unsubscribed, bounced or complained is stored as unsubscribed, with the date: then nobody adds them back.
ALTER TABLE import_rows
  ADD COLUMN leaving text CHECK (leaving IN ('unsubscribed', 'bounced', 'complained')),
  ADD COLUMN left_at timestamptz(3),
  ADD COLUMN evidence jsonb,
  ADD CONSTRAINT import_rows_left_check CHECK ((status = 'unsubscribed') = (leaving IS NOT NULL));
UPDATE imports SET counts = '{"new_unsubscribed": 0}' || counts;

-- What the list says of a person who is on the list already and has not left there: somebody must look at them.
ALTER TABLE import_unchanged ADD COLUMN leaving text, ADD COLUMN left_at timestamptz(3);
CREATE INDEX import_unchanged_leaving_idx ON import_unchanged (import_id, subscriber_id) WHERE leaving IS NOT NULL;

-- What the list says of how a person agreed and left; of an activity `created`.
ALTER TABLE subscriber_events ADD COLUMN evidence jsonb;

ALTER TABLE imports
  -- What a person said that words of the list mean: question, value, meaning.
  ADD COLUMN answers jsonb NOT NULL DEFAULT '{}',
  -- How many are on the list although the pasted one says that they left.
  ADD COLUMN still_here integer NOT NULL DEFAULT 0,
  DROP CONSTRAINT imports_state_check,
  ADD CONSTRAINT imports_state_check CHECK (state IN
    ('planned', 'running', 'done', 'cancelled', 'outdated', 'failed', 'undoing', 'undone'));

-- As before, but the undo of an import (the setting names it) takes with it whom that import brought as unsubscribed, where
-- nothing has happened to them since.
CREATE OR REPLACE FUNCTION keep_suppressed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  undone CONSTANT uuid := (
    SELECT id FROM imports WHERE id = nullif(current_setting('rollcall.undone_import', true), '')::uuid AND state = 'undoing'
  );
BEGIN
  PERFORM suppress_left(newsletter_id, email_canonical, unsubscribed_at)
  FROM (
    SELECT * FROM removed WHERE unsubscribed_at IS NOT NULL
      AND NOT (undone IS NOT NULL AND source = 'import' AND source_id IS NOT DISTINCT FROM undone AND version = 1)
    ORDER BY email_canonical
  ) AS gone;
  IF EXISTS (SELECT FROM suppressions WHERE newsletter_id IN (SELECT newsletter_id FROM removed)) THEN
    UPDATE suppressions x SET email = NULL FROM removed r
    WHERE x.newsletter_id = r.newsletter_id AND x.digest = address_digest(r.newsletter_id, r.email_canonical) AND x.email IS NOT NULL;
  END IF;
  RETURN NULL;
END $$;
