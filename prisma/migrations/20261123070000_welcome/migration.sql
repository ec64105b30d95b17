-- A mail that welcomes who has confirmed, in the newsletter's own words; off until staff switch it on.
ALTER TABLE newsletters
  ADD COLUMN welcome_on boolean NOT NULL DEFAULT false,
  ADD COLUMN welcome_subject text CHECK (char_length(welcome_subject) BETWEEN 1 AND 200),
  ADD COLUMN welcome_text text CHECK (char_length(welcome_text) BETWEEN 1 AND 5000);

-- NOT VALID: what was allowed before still is, so that no row needs to be read while nobody may write.
ALTER TABLE mails
  DROP CONSTRAINT mails_kind_check,
  DROP CONSTRAINT mails_written_check,
  ADD CONSTRAINT mails_kind_check CHECK (CASE kind
    WHEN 'confirmation' THEN newsletter_id IS NOT NULL AND subscriber_id IS NOT NULL AND staff_id IS NULL AND invitation_id IS NULL
    WHEN 'welcome' THEN newsletter_id IS NOT NULL AND subscriber_id IS NOT NULL AND staff_id IS NULL AND invitation_id IS NULL
    WHEN 'test' THEN newsletter_id IS NOT NULL AND subscriber_id IS NULL AND staff_id IS NOT NULL AND invitation_id IS NULL
    WHEN 'invitation' THEN newsletter_id IS NULL AND subscriber_id IS NULL AND staff_id IS NULL AND invitation_id IS NOT NULL
    WHEN 'notice' THEN newsletter_id IS NULL AND subscriber_id IS NULL AND staff_id IS NOT NULL AND invitation_id IS NULL
    ELSE false END) NOT VALID,
  -- Mails to the staff are written when they are asked for, those to people when they leave.
  ADD CONSTRAINT mails_written_check CHECK (kind IN ('confirmation', 'welcome') OR
    (subject IS NOT NULL AND html IS NOT NULL AND text IS NOT NULL)) NOT VALID;
