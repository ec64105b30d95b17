-- A break that a person takes by their own link: until it is over they are unsubscribed, and then active again. Beside the press
-- on a mailed link the one thing that brings back who left, since they said so themselves.
CREATE TABLE pauses (
  newsletter_id uuid NOT NULL,
  subscriber_id uuid NOT NULL,
  -- The date of unsubscribing that the break came with: who has another by now left once more, or is back.
  left_at timestamptz(3) NOT NULL,
  until timestamptz(3) NOT NULL,
  PRIMARY KEY (newsletter_id, subscriber_id),
  FOREIGN KEY (newsletter_id, subscriber_id) REFERENCES subscribers (newsletter_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX pauses_until_idx ON pauses (until);

ALTER TABLE subscriber_events DROP CONSTRAINT subscriber_events_cause_check,
  ADD CONSTRAINT subscriber_events_cause_check CHECK (
    cause IN ('mail', 'complaint', 'bulk_action', 'merge', 'pause', 'suppression')
        AND (cause IN ('pause', 'suppression')) = (cause_id IS NULL)
      OR cause IS NULL AND cause_id IS NULL
  ) NOT VALID;

CREATE OR REPLACE FUNCTION keep_consent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.email_canonical <> NEW.email_canonical THEN
    PERFORM pg_advisory_xact_lock_shared(suppression_lock(NEW.newsletter_id));
    IF OLD.unsubscribed_at IS NOT NULL THEN
      PERFORM suppress_left(OLD.newsletter_id, OLD.email_canonical, OLD.unsubscribed_at);
    END IF;
    -- Who reads the new address did not ask for the break.
    DELETE FROM pauses WHERE newsletter_id = OLD.newsletter_id AND subscriber_id = OLD.id;
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
    -- The end of a break.
    AND NOT (NEW.status = 'active' AND OLD.status = 'unsubscribed' AND EXISTS (
      SELECT FROM pauses p WHERE p.newsletter_id = OLD.newsletter_id AND p.subscriber_id = OLD.id
        AND p.left_at = OLD.unsubscribed_at AND p.until <= now()
    ))
  THEN
    RAISE EXCEPTION 'who left comes back by their own press on a mailed link alone' USING ERRCODE = 'RC002';
  END IF;
  RETURN NEW;
END $$;
