-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "accounts" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "api_access" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "newsletters" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "sender" TEXT,
    "reply_to" TEXT,
    "language" TEXT NOT NULL DEFAULT 'en',
    "time_zone" TEXT NOT NULL DEFAULT 'UTC',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "newsletters_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "subscribers" (
    "newsletter_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "email_canonical" TEXT NOT NULL,
    "first_name" TEXT NOT NULL DEFAULT '',
    "last_name" TEXT NOT NULL DEFAULT '',
    "status" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "source_id" UUID,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "confirmed_at" TIMESTAMPTZ(3),
    "unsubscribed_at" TIMESTAMPTZ(3),

    CONSTRAINT "subscribers_pkey" PRIMARY KEY ("newsletter_id","id")
);

-- CreateTable
CREATE TABLE "subscriber_events" (
    "id" UUID NOT NULL,
    "newsletter_id" UUID NOT NULL,
    "subscriber_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_id" UUID,
    "address" TEXT,
    "detail" JSONB,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "subscriber_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "suppressions" (
    "newsletter_id" UUID NOT NULL,
    "email_canonical" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "suppressions_pkey" PRIMARY KEY ("newsletter_id","email_canonical")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" UUID NOT NULL,
    "newsletter_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "secret_sha256" BYTEA NOT NULL,
    "permissions" TEXT[],
    "created_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "last_used_from" TEXT,

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotent_answers" (
    "api_key_id" UUID NOT NULL,
    "method" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "status" INTEGER NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotent_answers_pkey" PRIMARY KEY ("api_key_id","method","path","key")
);

-- CreateTable
CREATE TABLE "mails" (
    "id" UUID NOT NULL,
    "newsletter_id" UUID NOT NULL,
    "subscriber_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "to_email" TEXT NOT NULL,
    "person_key" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "held_until" TIMESTAMPTZ(3),
    "link_expires_at" TIMESTAMPTZ(3) NOT NULL,
    "send_id" UUID,
    "send_position" INTEGER,
    "sender" TEXT,
    "reply_to" TEXT,
    "subject" TEXT,
    "html" TEXT,
    "text" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "provider_id" TEXT,
    "error_code" TEXT,
    "error_message" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "packed_at" TIMESTAMPTZ(3),
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "mails_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mail_sends" (
    "id" UUID NOT NULL,
    "payload" TEXT,
    "size" INTEGER NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "unsure_since" TIMESTAMPTZ(3),
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "outcome" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "mail_sends_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mail_grants" (
    "person_key" TEXT NOT NULL,
    "granted_at" TIMESTAMPTZ(3)[],

    CONSTRAINT "mail_grants_pkey" PRIMARY KEY ("person_key")
);

-- CreateTable
CREATE TABLE "imports" (
    "id" UUID NOT NULL,
    "newsletter_id" UUID NOT NULL,
    "staff_id" UUID,
    "state" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "imports_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "staff_members" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "email_verified" BOOLEAN NOT NULL DEFAULT false,
    "image" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "staff_members_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "staff_sessions" (
    "id" UUID NOT NULL,
    "staff_id" UUID NOT NULL,
    "token" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ip_address" TEXT,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "staff_sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "staff_credentials" (
    "id" UUID NOT NULL,
    "staff_id" UUID NOT NULL,
    "provider_account_id" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "password" TEXT,
    "access_token" TEXT,
    "refresh_token" TEXT,
    "id_token" TEXT,
    "access_token_expires_at" TIMESTAMPTZ(3),
    "refresh_token_expires_at" TIMESTAMPTZ(3),
    "scope" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "staff_credentials_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "staff_verifications" (
    "id" UUID NOT NULL,
    "identifier" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "staff_verifications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_entries" (
    "id" UUID NOT NULL,
    "account_id" UUID,
    "newsletter_id" UUID,
    "actor_kind" TEXT NOT NULL,
    "actor_id" UUID,
    "action" TEXT NOT NULL,
    "subject_id" UUID,
    "detail" JSONB,
    "address" TEXT,
    "request_id" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "settings" (
    "name" TEXT NOT NULL,
    "value" TEXT NOT NULL,

    CONSTRAINT "settings_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE UNIQUE INDEX "newsletters_account_id_id_key" ON "newsletters"("account_id", "id");

-- CreateIndex
-- The address first: with the newsletter first, the foreign-key checks of a list that was never analysed would take this
-- index for their own and read the whole newsletter.
CREATE UNIQUE INDEX "subscribers_email_canonical_newsletter_id_key" ON "subscribers"("email_canonical", "newsletter_id");

-- CreateIndex
CREATE INDEX "subscriber_events_newsletter_id_subscriber_id_id_idx" ON "subscriber_events"("newsletter_id", "subscriber_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_secret_sha256_key" ON "api_keys"("secret_sha256");

-- CreateIndex
CREATE INDEX "api_keys_newsletter_id_idx" ON "api_keys"("newsletter_id");

-- CreateIndex
CREATE INDEX "idempotent_answers_created_at_idx" ON "idempotent_answers"("created_at");

-- CreateIndex
CREATE INDEX "mails_newsletter_id_subscriber_id_id_idx" ON "mails"("newsletter_id", "subscriber_id", "id");

-- CreateIndex
CREATE INDEX "mails_send_id_send_position_idx" ON "mails"("send_id", "send_position");

-- CreateIndex
CREATE INDEX "imports_newsletter_id_created_at_idx" ON "imports"("newsletter_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "staff_members_email_key" ON "staff_members"("email");

-- CreateIndex
CREATE UNIQUE INDEX "staff_sessions_token_key" ON "staff_sessions"("token");

-- CreateIndex
CREATE INDEX "staff_sessions_staff_id_idx" ON "staff_sessions"("staff_id");

-- CreateIndex
CREATE INDEX "staff_credentials_staff_id_idx" ON "staff_credentials"("staff_id");

-- CreateIndex
CREATE UNIQUE INDEX "staff_credentials_provider_id_provider_account_id_key" ON "staff_credentials"("provider_id", "provider_account_id");

-- CreateIndex
CREATE INDEX "staff_verifications_identifier_idx" ON "staff_verifications"("identifier");

-- CreateIndex
CREATE INDEX "audit_entries_account_id_id_idx" ON "audit_entries"("account_id", "id");

-- AddForeignKey
ALTER TABLE "newsletters" ADD CONSTRAINT "newsletters_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscribers" ADD CONSTRAINT "subscribers_newsletter_id_fkey" FOREIGN KEY ("newsletter_id") REFERENCES "newsletters"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscriber_events" ADD CONSTRAINT "subscriber_events_newsletter_id_subscriber_id_fkey" FOREIGN KEY ("newsletter_id", "subscriber_id") REFERENCES "subscribers"("newsletter_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_newsletter_id_fkey" FOREIGN KEY ("newsletter_id") REFERENCES "newsletters"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mails" ADD CONSTRAINT "mails_newsletter_id_fkey" FOREIGN KEY ("newsletter_id") REFERENCES "newsletters"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mails" ADD CONSTRAINT "mails_newsletter_id_subscriber_id_fkey" FOREIGN KEY ("newsletter_id", "subscriber_id") REFERENCES "subscribers"("newsletter_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "imports" ADD CONSTRAINT "imports_newsletter_id_fkey" FOREIGN KEY ("newsletter_id") REFERENCES "newsletters"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "staff_members" ADD CONSTRAINT "staff_members_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "staff_sessions" ADD CONSTRAINT "staff_sessions_staff_id_fkey" FOREIGN KEY ("staff_id") REFERENCES "staff_members"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "staff_credentials" ADD CONSTRAINT "staff_credentials_staff_id_fkey" FOREIGN KEY ("staff_id") REFERENCES "staff_members"("id") ON DELETE CASCADE ON UPDATE CASCADE;



-- Walls that Prisma's schema language has no word for.

ALTER TABLE "accounts" ADD CONSTRAINT "accounts_name_check" CHECK (char_length("name") BETWEEN 1 AND 255);
ALTER TABLE "newsletters" ADD CONSTRAINT "newsletters_name_check" CHECK (char_length("name") BETWEEN 1 AND 255);

ALTER TABLE "subscribers"
  ADD CONSTRAINT "subscribers_email_check" CHECK (char_length("email") BETWEEN 5 AND 254 AND char_length("email_canonical") <= 254),
  ADD CONSTRAINT "subscribers_name_check" CHECK (char_length("first_name") + char_length("last_name") <= 255),
  ADD CONSTRAINT "subscribers_status_check" CHECK ("status" IN ('active', 'pending', 'unsubscribed')),
  ADD CONSTRAINT "subscribers_source_check" CHECK ("source" IN ('api', 'dashboard', 'import', 'public', 'operator'));

-- Ends a transaction that had to insert all of its rows and could not: what did go in is taken back.
CREATE FUNCTION "reject_incomplete"() RETURNS text[] LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an address is on the list already' USING ERRCODE = 'RC001';
END $$;

ALTER TABLE "suppressions"
  ADD CONSTRAINT "suppressions_newsletter_id_fkey" FOREIGN KEY ("newsletter_id") REFERENCES "newsletters"("id") ON DELETE CASCADE;

ALTER TABLE "api_keys"
  ADD CONSTRAINT "api_keys_secret_check" CHECK (octet_length("secret_sha256") = 32),
  ADD CONSTRAINT "api_keys_permissions_check" CHECK ("permissions" <@ ARRAY['subscribers:read', 'subscribers:write']);

ALTER TABLE "idempotent_answers"
  ADD CONSTRAINT "idempotent_answers_key_check" CHECK (char_length("key") BETWEEN 1 AND 255),
  ADD CONSTRAINT "idempotent_answers_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE CASCADE;

ALTER TABLE "mails"
  ADD CONSTRAINT "mails_kind_check" CHECK ("kind" IN ('confirmation')),
  ADD CONSTRAINT "mails_state_check" CHECK ("state" IN
    ('waiting', 'held', 'kept', 'sending', 'sent', 'failed', 'uncertain', 'cancelled')),
  ADD CONSTRAINT "mails_held_check" CHECK ("state" <> 'held' OR "held_until" IS NOT NULL),
  ADD CONSTRAINT "mails_sending_check" CHECK ("state" NOT IN ('sending', 'sent', 'uncertain') OR
    ("send_id" IS NOT NULL AND "send_position" IS NOT NULL AND "html" IS NOT NULL AND "text" IS NOT NULL));

-- What the packer looks for; small, since mails leave these states soon. Two, so that mails held for hours
-- are not read past again and again.
CREATE INDEX "mails_waiting_idx" ON "mails" ("id") WHERE "state" = 'waiting';
CREATE INDEX "mails_held_idx" ON "mails" ("held_until") WHERE "state" = 'held';

ALTER TABLE "mail_sends"
  ADD CONSTRAINT "mail_sends_size_check" CHECK ("size" BETWEEN 1 AND 100),
  ADD CONSTRAINT "mail_sends_outcome_check" CHECK ("outcome" IN ('accepted', 'rejected', 'divided', 'cancelled', 'uncertain')),
  ADD CONSTRAINT "mail_sends_settled_check" CHECK (("settled_at" IS NULL) = ("payload" IS NOT NULL) AND
    ("settled_at" IS NULL) = ("outcome" IS NULL));
CREATE INDEX "mail_sends_open_idx" ON "mail_sends" ("next_attempt_at") WHERE "settled_at" IS NULL;

ALTER TABLE "staff_members"
  ADD CONSTRAINT "staff_members_role_check" CHECK ("role" IN ('owner', 'editor', 'viewer'));
