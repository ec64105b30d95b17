-- An archived newsletter is only read. A deleted one is archived, too, and removed with its people when its time has come.
ALTER TABLE newsletters
  ADD COLUMN archived_at timestamptz(3),
  ADD COLUMN remove_at timestamptz(3),
  ADD CONSTRAINT newsletters_remove_check CHECK (remove_at IS NULL OR archived_at IS NOT NULL);

-- Whether a newsletter is being removed: nobody can bring it back any more.
CREATE FUNCTION is_being_removed(newsletter uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM newsletters WHERE id = newsletter AND remove_at <= now())
$$;

-- As before, but of the people of a newsletter that is being removed no digest stays: it goes, too.
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
      AND NOT is_being_removed(newsletter_id)
    ORDER BY email_canonical
  ) AS gone;
  IF EXISTS (SELECT FROM suppressions WHERE newsletter_id IN (SELECT newsletter_id FROM removed)) THEN
    UPDATE suppressions x SET email = NULL FROM removed r
    WHERE x.newsletter_id = r.newsletter_id AND x.digest = address_digest(r.newsletter_id, r.email_canonical) AND x.email IS NOT NULL;
  END IF;
  RETURN NULL;
END $$;

-- As before, but suppressions go before their newsletter, a part at a time.
CREATE OR REPLACE FUNCTION keep_suppression() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' OR OLD.reason = 'denied'
    OR NOT pressed_since(OLD.newsletter_id, OLD.digest, CASE OLD.reason WHEN 'unsubscribed' THEN OLD.created_at ELSE '-infinity' END)
  THEN
    IF TG_OP = 'DELETE' AND (NOT EXISTS (SELECT FROM newsletters WHERE id = OLD.newsletter_id) OR is_being_removed(OLD.newsletter_id))
      THEN RETURN OLD; END IF;
    RAISE EXCEPTION 'what a person did stays until their own press' USING ERRCODE = 'RC002';
  END IF;
  RETURN OLD;
END $$;

-- The events of webhooks go with their newsletter, too: an earlier migration wrote that under the function's former name.
DROP FUNCTION forget_changes();
CREATE OR REPLACE FUNCTION newsletter_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Triggers fire in the order of their names: the counts are gone by now, and who was being added is to be seen.
  IF EXISTS (SELECT FROM subscribers WHERE newsletter_id = OLD.id) THEN
    RAISE EXCEPTION 'the newsletter has subscribers' USING ERRCODE = 'foreign_key_violation';
  END IF;
  DELETE FROM changes WHERE newsletter_id = OLD.id;
  DELETE FROM webhook_events WHERE newsletter_id = OLD.id;
  RETURN NULL;
END $$;
