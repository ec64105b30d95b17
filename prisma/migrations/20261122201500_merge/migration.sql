-- People who are on a list twice are merged: one is kept, the others become unsubscribed.
ALTER TABLE bulk_actions DROP CONSTRAINT bulk_actions_kind_check, DROP CONSTRAINT bulk_actions_change_check,
  ADD CONSTRAINT bulk_actions_kind_check CHECK (
    kind IN ('confirm', 'activate', 'unsubscribe', 'erase', 'forget', 'tag', 'untag', 'set_field', 'merge')),
  ADD CONSTRAINT bulk_actions_change_check CHECK ((change IS NOT NULL) = (kind IN ('tag', 'untag', 'set_field', 'merge')));
ALTER TABLE bulk_action_changes ADD COLUMN named boolean NOT NULL DEFAULT false;

-- Bulk actions are kept for 30 days, activities as long as the person: that it was a merge stands with them.
ALTER TABLE subscriber_events DROP CONSTRAINT subscriber_events_cause_check,
  ADD CONSTRAINT subscriber_events_cause_check CHECK (
    cause IN ('mail', 'complaint', 'bulk_action', 'merge', 'suppression') AND (cause = 'suppression') = (cause_id IS NULL)
      OR cause IS NULL AND cause_id IS NULL
  );

CREATE OR REPLACE FUNCTION keep_consent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.email_canonical <> NEW.email_canonical THEN
    PERFORM pg_advisory_xact_lock_shared(suppression_lock(NEW.newsletter_id));
    IF OLD.unsubscribed_at IS NOT NULL THEN
      PERFORM suppress_left(OLD.newsletter_id, OLD.email_canonical, OLD.unsubscribed_at);
    END IF;
  END IF;
  IF OLD.unsubscribed_at IS NOT NULL AND NEW.unsubscribed_at IS NULL
    AND NOT (OLD.email = NEW.email
      AND pressed_since(OLD.newsletter_id, address_digest(OLD.newsletter_id, OLD.email_canonical), OLD.unsubscribed_at))
    -- The undo of a bulk action, of people who have not changed since it unsubscribed them.
    AND NOT EXISTS (
      SELECT FROM bulk_action_changes c JOIN bulk_actions a ON a.id = c.bulk_action_id
      WHERE c.subscriber_id = OLD.id AND a.newsletter_id = OLD.newsletter_id AND a.kind IN ('unsubscribe', 'merge')
        AND a.state = 'undoing' AND c.version = OLD.version AND c.was = NEW.status AND NOT c.had_left
    )
  THEN
    RAISE EXCEPTION 'who left comes back by their own press on a mailed link alone' USING ERRCODE = 'RC002';
  END IF;
  RETURN NEW;
END $$;
