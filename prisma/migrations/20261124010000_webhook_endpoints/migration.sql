-- Whom a newsletter tells what happens: each endpoint follows the changes at its own pace, from a position of its own.
CREATE TABLE webhook_endpoints (
  id uuid PRIMARY KEY,
  newsletter_id uuid NOT NULL REFERENCES newsletters (id) ON DELETE CASCADE,
  url text NOT NULL,
  description text NOT NULL,
  events text[] NOT NULL,
  version integer NOT NULL DEFAULT 1,
  -- Encrypted by AUTH_SECRET. The old one signs, too, until its time is over.
  secret text NOT NULL,
  old_secret text,
  old_secret_until timestamptz(3),
  -- Null: it is on.
  off_reason text CHECK (off_reason IN ('staff', 'failing', 'gone', 'restored')),
  -- How far it has read the changes: their epoch, transaction and person; and the events below, which are not among them.
  epoch uuid NOT NULL,
  xid bigint NOT NULL,
  subscriber_id uuid NOT NULL,
  event_xid bigint NOT NULL,
  event_id uuid NOT NULL,
  next_number integer NOT NULL DEFAULT 1,
  -- Of the message that is first in line.
  attempts integer NOT NULL DEFAULT 0,
  next_try_at timestamptz(3),
  failing_since timestamptz(3),
  failure text,
  delivered_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX webhook_endpoints_newsletter_idx ON webhook_endpoints (newsletter_id);

-- What an endpoint is told, numbered in the order of delivery. The body is kept as it is signed: each attempt sends the same bytes.
CREATE TABLE webhook_messages (
  endpoint_id uuid NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  number integer NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL,
  -- Whom it is about; when they are erased, the body keeps their id alone.
  subscriber_id uuid,
  body text NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'skipped')),
  attempts integer NOT NULL DEFAULT 0,
  tried_at timestamptz(3),
  answer_status integer,
  answer text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (endpoint_id, number)
);
CREATE INDEX webhook_messages_waiting_idx ON webhook_messages (endpoint_id, number) WHERE state = 'waiting';
CREATE INDEX webhook_messages_subscriber_idx ON webhook_messages (subscriber_id);
CREATE INDEX webhook_messages_created_idx ON webhook_messages (created_at);

-- What endpoints are told of and is no change of a subscriber. Written in the transaction of what happened, as changes are.
CREATE TABLE webhook_events (
  newsletter_id uuid NOT NULL,
  xid bigint NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL,
  subscriber_id uuid,
  detail jsonb NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (newsletter_id, xid, id)
);

CREATE OR REPLACE FUNCTION forget_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM changes WHERE newsletter_id = OLD.id;
  DELETE FROM webhook_events WHERE newsletter_id = OLD.id;
  RETURN NULL;
END $$;
