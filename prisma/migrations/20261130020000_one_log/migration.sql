-- Webhook events and changes of subscribers become one log: a webhook reads it from one position. An event has an id of its own
-- in place of the person's. The id begins with ffff, so that the event follows the changes of its transaction.
ALTER TABLE changes DROP CONSTRAINT changes_kind_check,
  ADD CONSTRAINT changes_kind_check CHECK (kind IN
    ('created', 'updated', 'confirmed', 'unsubscribed', 'erased', 'bounced', 'complained', 'import.finished')),
  -- Of an event only: the subscriber it is about, and what webhooks say of it. A change has no detail.
  ADD COLUMN about uuid,
  ADD COLUMN detail jsonb;
CREATE INDEX changes_about_idx ON changes (about) WHERE about IS NOT NULL;

-- Each webhook goes on at the later of its two positions. An unread event or change in between counts more: better twice than never.
UPDATE webhook_endpoints w SET (xid, subscriber_id) = (
  SELECT xid, id FROM (
    SELECT v.xid, 'ffff0000-0000-0000-0000-000000000000'::uuid AS id, 1 AS choice FROM webhook_events v
    WHERE v.newsletter_id = w.newsletter_id AND (v.xid, v.id) > (w.event_xid, w.event_id) AND v.xid <= w.xid
    UNION ALL
    SELECT w.event_xid, ('ffff' || substr(w.event_id::text, 5))::uuid, 2
    WHERE w.event_xid >= w.xid AND NOT EXISTS (
      SELECT FROM changes c WHERE c.newsletter_id = w.newsletter_id
        AND (c.xid, c.subscriber_id) > (w.xid, w.subscriber_id) AND c.xid <= w.event_xid)
    UNION ALL
    SELECT w.xid, w.subscriber_id, 3
  ) AS position ORDER BY choice, xid LIMIT 1
);
INSERT INTO changes (newsletter_id, xid, subscriber_id, kind, at, about, detail)
SELECT newsletter_id, xid, ('ffff' || substr(id::text, 5))::uuid, replace(type, 'subscriber.', ''), at, subscriber_id, detail
FROM webhook_events;

ALTER TABLE webhook_endpoints DROP COLUMN event_xid, DROP COLUMN event_id;
DROP TABLE webhook_events;

-- During a rolling upgrade, processes of the earlier version still write their events; a later migration drops the view.
CREATE VIEW webhook_events AS
  SELECT newsletter_id, xid, subscriber_id AS id, kind AS type, about AS subscriber_id, detail, at FROM changes
  WHERE detail IS NOT NULL;
CREATE FUNCTION webhook_event_of_earlier_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO changes (newsletter_id, xid, subscriber_id, kind, about, detail)
  VALUES (NEW.newsletter_id, NEW.xid, ('ffff' || substr(NEW.id::text, 5))::uuid, replace(NEW.type, 'subscriber.', ''),
    NEW.subscriber_id, NEW.detail);
  RETURN NEW;
END $$;
CREATE TRIGGER webhook_event_of_earlier_version INSTEAD OF INSERT ON webhook_events
  FOR EACH ROW EXECUTE FUNCTION webhook_event_of_earlier_version();

CREATE OR REPLACE FUNCTION newsletter_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Triggers fire in the order of their names: the counts are gone by now, and who was being added is to be seen.
  IF EXISTS (SELECT FROM subscribers WHERE newsletter_id = OLD.id) THEN
    RAISE EXCEPTION 'the newsletter has subscribers' USING ERRCODE = 'foreign_key_violation';
  END IF;
  DELETE FROM changes WHERE newsletter_id = OLD.id;
  RETURN NULL;
END $$;
