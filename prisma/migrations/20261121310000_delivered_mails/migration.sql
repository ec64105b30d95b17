-- The list of those delivered, which may be few among many that nobody reports of.
CREATE INDEX "mails_delivered_idx" ON "mails" ("newsletter_id", "id") WHERE "delivered_at" IS NOT NULL;
