-- A newsletter's own words for its confirmation. Null: ours, in its language.
ALTER TABLE "newsletters"
  ADD COLUMN "confirm_subject" TEXT,
  ADD COLUMN "confirm_intro" TEXT,
  ADD COLUMN "confirm_next_url" TEXT,
  ADD CONSTRAINT "newsletters_confirm_subject_check" CHECK (char_length("confirm_subject") BETWEEN 1 AND 200),
  ADD CONSTRAINT "newsletters_confirm_intro_check" CHECK (char_length("confirm_intro") BETWEEN 1 AND 1000),
  ADD CONSTRAINT "newsletters_confirm_next_url_check" CHECK ("confirm_next_url" LIKE 'https://%' AND char_length("confirm_next_url") <= 2000);

-- Mails to the staff: a test of the confirmation belongs to a newsletter, an invitation to an account. They go when the
-- staff member or the invitation goes, as a person's mails go with the person.
ALTER TABLE "mails"
  ALTER COLUMN "newsletter_id" DROP NOT NULL,
  ALTER COLUMN "subscriber_id" DROP NOT NULL,
  ADD COLUMN "staff_id" UUID,
  ADD COLUMN "invitation_id" UUID,
  DROP CONSTRAINT "mails_kind_check",
  ADD CONSTRAINT "mails_kind_check" CHECK (CASE "kind"
    WHEN 'confirmation' THEN "newsletter_id" IS NOT NULL AND "subscriber_id" IS NOT NULL AND "staff_id" IS NULL AND "invitation_id" IS NULL
    WHEN 'test' THEN "newsletter_id" IS NOT NULL AND "subscriber_id" IS NULL AND "staff_id" IS NOT NULL AND "invitation_id" IS NULL
    WHEN 'invitation' THEN "newsletter_id" IS NULL AND "subscriber_id" IS NULL AND "staff_id" IS NULL AND "invitation_id" IS NOT NULL
    ELSE false END),
  -- These are written when they are asked for.
  ADD CONSTRAINT "mails_written_check" CHECK ("kind" = 'confirmation' OR
    ("subject" IS NOT NULL AND "html" IS NOT NULL AND "text" IS NOT NULL)),
  ADD CONSTRAINT "mails_staff_id_fkey" FOREIGN KEY ("staff_id") REFERENCES "staff_members"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  ADD CONSTRAINT "mails_invitation_id_fkey" FOREIGN KEY ("invitation_id") REFERENCES "staff_verifications"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE INDEX "mails_staff_id_idx" ON "mails" ("staff_id", "id") WHERE "staff_id" IS NOT NULL;
CREATE INDEX "mails_invitation_id_idx" ON "mails" ("invitation_id", "id") WHERE "invitation_id" IS NOT NULL;
