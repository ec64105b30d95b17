-- "Any part of" an address or a name, for the dashboard's search. The text begins with a space, so that a search of one
-- or two letters can ask for the start of a word, which trigrams answer too.
-- Where the database refuses the extension, search still works, only slowly: a start must not fail for it.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX "subscribers_search_idx" ON "subscribers"
    USING gin (lower(' ' || "email" || ' ' || "first_name" || ' ' || "last_name") gin_trgm_ops);
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE NOTICE 'pg_trgm is not available: searching people will read all of them';
END $$;

-- People from elsewhere than the API, which brings the most.
CREATE INDEX "subscribers_rare_source_idx" ON "subscribers" ("newsletter_id", "source", "id") WHERE "source" <> 'api';

-- The dashboard's lists of mails, and what of them wants attention.
CREATE INDEX "mails_newsletter_id_idx" ON "mails" ("newsletter_id", "id");
CREATE INDEX "mails_attention_idx" ON "mails" ("newsletter_id", "state", "id") WHERE "state" NOT IN ('sent', 'cancelled', 'kept');
