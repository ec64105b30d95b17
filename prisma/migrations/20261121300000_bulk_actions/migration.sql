-- One thing done to many people, in chunks that each commit with their own progress: whoever holds the run's row does the next.
CREATE TABLE "bulk_actions" (
    "id" UUID NOT NULL,
    "newsletter_id" UUID NOT NULL,
    "staff_id" UUID,
    "address" TEXT,
    "act" TEXT NOT NULL,
    "filter" JSONB,
    "ids" UUID[],
    "state" TEXT NOT NULL,
    "total" INTEGER NOT NULL,
    "done" INTEGER NOT NULL DEFAULT 0,
    "reasons" JSONB NOT NULL DEFAULT '{}',
    "after" UUID,
    "undone" INTEGER NOT NULL DEFAULT 0,
    "undo_id" UUID,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),
    "seen_at" TIMESTAMPTZ(3),

    CONSTRAINT "bulk_actions_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "bulk_actions_newsletter_id_fkey" FOREIGN KEY ("newsletter_id") REFERENCES "newsletters"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "bulk_actions_act_check" CHECK ("act" IN ('confirm', 'activate', 'unsubscribe', 'erase')),
    CONSTRAINT "bulk_actions_state_check" CHECK ("state" IN ('running', 'done', 'cancelled', 'failed', 'undoing', 'undone')),
    CONSTRAINT "bulk_actions_target_check" CHECK (("filter" IS NULL) <> ("ids" IS NULL)),
    CONSTRAINT "bulk_actions_ended_check" CHECK (("state" = 'running') = ("ended_at" IS NULL))
);

CREATE INDEX "bulk_actions_newsletter_id_id_idx" ON "bulk_actions"("newsletter_id", "id");
CREATE INDEX "bulk_actions_open_idx" ON "bulk_actions"("due_at") WHERE "state" IN ('running', 'undoing');

-- What a run did to whom, and how they were before: kept for a day, so that it can be taken back.
CREATE TABLE "bulk_action_changes" (
    "run_id" UUID NOT NULL,
    "subscriber_id" UUID NOT NULL,
    "was" TEXT NOT NULL,
    "unsubscribed_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL,
    "mail_id" UUID,
    "mail_held_until" TIMESTAMPTZ(3),

    CONSTRAINT "bulk_action_changes_pkey" PRIMARY KEY ("run_id", "subscriber_id"),
    CONSTRAINT "bulk_action_changes_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "bulk_actions"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "bulk_action_changes_subscriber_id_idx" ON "bulk_action_changes"("subscriber_id");
