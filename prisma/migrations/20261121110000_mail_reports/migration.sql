-- What became of a mail after the provider had it, and the mail that was sent in place of one that failed.
ALTER TABLE "mails"
  ADD COLUMN "retry_id" UUID,
  ADD COLUMN "delayed_at" TIMESTAMPTZ(3),
  ADD COLUMN "delivered_at" TIMESTAMPTZ(3),
  ADD COLUMN "bounced_at" TIMESTAMPTZ(3),
  ADD COLUMN "bounce_reason" TEXT,
  ADD COLUMN "complained_at" TIMESTAMPTZ(3),
  ADD CONSTRAINT "mails_bounce_check" CHECK ("bounced_at" IS NULL OR "bounce_reason" IS NOT NULL);

-- Reports name the mail by the provider's id.
CREATE INDEX "mails_provider_id_idx" ON "mails" ("provider_id") WHERE "provider_id" IS NOT NULL;
CREATE INDEX "mails_bounced_idx" ON "mails" ("newsletter_id", "id") WHERE "bounced_at" IS NOT NULL;
-- A failed mail that another took the place of wants no attention any more.
DROP INDEX "mails_attention_idx";
CREATE INDEX "mails_attention_idx" ON "mails" ("newsletter_id", "state", "id")
  WHERE "state" NOT IN ('sent', 'cancelled', 'kept') AND "retry_id" IS NULL;

-- What the provider's webhooks have said, by their ids: each counts once. Kept 3 days, longer than they are repeated.
CREATE TABLE "mail_reports" (
    "id" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "detail" TEXT,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "applied_at" TIMESTAMPTZ(3),

    CONSTRAINT "mail_reports_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "mail_reports_kind_check" CHECK ("kind" IN ('delayed', 'delivered', 'bounced', 'rejected', 'complained', 'failed'))
);
CREATE INDEX "mail_reports_open_idx" ON "mail_reports" ("provider_id") WHERE "applied_at" IS NULL;
CREATE INDEX "mail_reports_received_at_idx" ON "mail_reports" ("received_at");
