-- How long mails to more than one person wait, so that staff can cancel all of them.
ALTER TABLE newsletters ADD COLUMN send_delay_seconds integer NOT NULL DEFAULT 30
  CHECK (send_delay_seconds BETWEEN 0 AND 600);

-- Mails that one action of the staff causes. They leave together once this row is released, and none of them when it is
-- cancelled: one row decides, and whoever updates it first wins. Its id is that of the bulk action or import, where there is one.
CREATE TABLE mailings (
  id uuid PRIMARY KEY,
  newsletter_id uuid NOT NULL REFERENCES newsletters (id) ON DELETE CASCADE ON UPDATE CASCADE,
  staff_id uuid,
  kind text NOT NULL CHECK (kind IN ('confirm', 'import', 'retry')),
  due_at timestamptz(3) NOT NULL,
  released_at timestamptz(3),
  cancelled_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT mailings_end_check CHECK (released_at IS NULL OR cancelled_at IS NULL)
);
CREATE INDEX mailings_open_idx ON mailings (newsletter_id, due_at) WHERE released_at IS NULL AND cancelled_at IS NULL;

ALTER TABLE mails ADD COLUMN mailing_id uuid;
CREATE INDEX mails_mailing_id_idx ON mails (mailing_id) WHERE mailing_id IS NOT NULL;
