-- Mails with a person's link to their preferences, which they asked for, and to use another address from then on.
-- NOT VALID: what was allowed before still is, so that no row needs to be read while nobody may write.
ALTER TABLE mails
  DROP CONSTRAINT mails_kind_check,
  DROP CONSTRAINT mails_written_check,
  ADD CONSTRAINT mails_kind_check CHECK (CASE
    WHEN kind IN ('confirmation', 'welcome', 'preferences', 'new_address')
      THEN newsletter_id IS NOT NULL AND subscriber_id IS NOT NULL AND staff_id IS NULL AND invitation_id IS NULL
    WHEN kind = 'test' THEN newsletter_id IS NOT NULL AND subscriber_id IS NULL AND staff_id IS NOT NULL AND invitation_id IS NULL
    WHEN kind = 'invitation' THEN newsletter_id IS NULL AND subscriber_id IS NULL AND staff_id IS NULL AND invitation_id IS NOT NULL
    WHEN kind = 'notice' THEN newsletter_id IS NULL AND subscriber_id IS NULL AND staff_id IS NOT NULL AND invitation_id IS NULL
    ELSE false END) NOT VALID,
  ADD CONSTRAINT mails_written_check CHECK (kind IN ('confirmation', 'welcome', 'preferences', 'new_address') OR
    (subject IS NOT NULL AND html IS NOT NULL AND text IS NOT NULL)) NOT VALID;
