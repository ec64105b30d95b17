-- People from elsewhere than the API, which brings the most.
CREATE INDEX "subscribers_rare_source_idx" ON "subscribers" ("newsletter_id", "source", "id") WHERE "source" <> 'api';

-- The dashboard's lists of mails, and what of them wants attention.
CREATE INDEX "mails_newsletter_id_idx" ON "mails" ("newsletter_id", "id");
CREATE INDEX "mails_attention_idx" ON "mails" ("newsletter_id", "state", "id") WHERE "state" NOT IN ('sent', 'cancelled', 'kept');
