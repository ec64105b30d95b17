-- The request log is narrowed by what was asked and what came of it. Both are known in advance and few, so every
-- combination is one range of an index in the order of time, and a rare one is found as fast as a frequent one.
-- Prisma's language has no word for the expression; without it "no code" could not be looked up.
CREATE INDEX "api_requests_of_newsletter_idx" ON "api_requests"
  ("newsletter_id", "operation", "status", (coalesce("code", '')), "id");
CREATE INDEX "api_requests_of_key_idx" ON "api_requests"
  ("api_key_id", "operation", "status", (coalesce("code", '')), "id");
