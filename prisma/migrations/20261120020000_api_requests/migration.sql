-- The requests of the last 30 days: what was asked and what came of it, without addresses or bodies.
CREATE TABLE "api_requests" (
    "id" UUID NOT NULL,
    "newsletter_id" UUID NOT NULL,
    "api_key_id" UUID NOT NULL,
    "operation" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "code" TEXT,
    "request_id" TEXT NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "rejected" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "api_requests_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "api_requests_newsletter_id_id_idx" ON "api_requests"("newsletter_id", "id");
CREATE INDEX "api_requests_api_key_id_id_idx" ON "api_requests"("api_key_id", "id");

-- The lowest UUID v7 of a moment: ids are in the order of time, so an age is a range of the primary key.
CREATE FUNCTION "uuid_at"(moment timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid
$$;
