-- Breaks of 30 or 90 days are withdrawn. People on a break are unsubscribed already and stay so: they resubscribe by their
-- unsubscribe link, like everybody else.
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

DROP TABLE pauses;

-- Activities keep their cause; the day on which a break would have ended means nothing any more.
UPDATE subscriber_events SET detail = NULL WHERE cause = 'pause';

-- The queue of the job that ended breaks, with its schedule. A new database has no tables of pg-boss yet.
DO $$ BEGIN
  IF to_regclass('pgboss.queue') IS NOT NULL THEN
    DELETE FROM pgboss.schedule WHERE name = 'pauses';
    PERFORM pgboss.delete_queue(name) FROM pgboss.queue WHERE name = 'pauses';
  END IF;
END $$;
