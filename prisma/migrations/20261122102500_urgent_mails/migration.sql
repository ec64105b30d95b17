-- Mails that somebody waits for at a screen never queue behind an import.
ALTER TABLE mails ADD COLUMN urgent boolean NOT NULL DEFAULT false;
CREATE INDEX mails_urgent_idx ON mails (id) WHERE urgent AND state IN ('waiting', 'deferred');

-- When the next request to Resend may start, whichever process makes it. One row.
CREATE TABLE send_pace (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  next_at timestamptz NOT NULL
);
INSERT INTO send_pace (next_at) VALUES (now());
