-- The bulk form: runs, the list that a run is to carry out, what it left alone, and the lines that added nobody.
ALTER TABLE "imports"
  ADD COLUMN "number" INTEGER,
  ADD COLUMN "file_name" TEXT,
  ADD COLUMN "default_status" TEXT NOT NULL DEFAULT 'active',
  ADD COLUMN "existing" TEXT NOT NULL DEFAULT 'leave',
  ADD COLUMN "consent_source" TEXT,
  ADD COLUMN "consent_wording" TEXT,
  ADD COLUMN "digest" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "rows" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "rejected" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "written" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "counts" JSONB NOT NULL DEFAULT '{}',
  ADD COLUMN "error" TEXT,
  ADD COLUMN "changed" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "changes" JSONB NOT NULL DEFAULT '[]',
  ADD COLUMN "undone" JSONB,
  ADD COLUMN "started_at" TIMESTAMPTZ(3),
  ADD COLUMN "heartbeat_at" TIMESTAMPTZ(3),
  ADD COLUMN "cancel_asked_at" TIMESTAMPTZ(3),
  ADD COLUMN "ended_at" TIMESTAMPTZ(3),
  ADD COLUMN "emptied_at" TIMESTAMPTZ(3),
  ADD CONSTRAINT "imports_state_check" CHECK ("state" IN
    ('planned', 'running', 'done', 'cancelled', 'outdated', 'failed', 'undone')),
  ADD CONSTRAINT "imports_running_check" CHECK ("state" <> 'running' OR
    ("number" IS NOT NULL AND "started_at" IS NOT NULL AND "heartbeat_at" IS NOT NULL)),
  ADD CONSTRAINT "imports_ended_check" CHECK (("state" IN ('planned', 'running')) = ("ended_at" IS NULL));

-- A number is given when a run starts: plans that come to nothing leave no gaps.
CREATE UNIQUE INDEX "imports_newsletter_id_number_key" ON "imports" ("newsletter_id", "number");
-- What housekeeping still has to empty.
CREATE INDEX "imports_filled_idx" ON "imports" ("created_at") WHERE "emptied_at" IS NULL;

-- Clean and checked, once each, in the order in which addresses are inserted everywhere. No foreign key: the rows come and go
-- with their run, in its own transactions, and a check for each of 100,000 would cost half a second.
CREATE TABLE "import_rows" (
    "import_id" UUID NOT NULL,
    "email_canonical" TEXT COLLATE "C" NOT NULL,
    "line" INTEGER NOT NULL,
    "email" TEXT NOT NULL,
    "first_name" TEXT NOT NULL,
    "last_name" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "fill_name" BOOLEAN NOT NULL,

    CONSTRAINT "import_rows_pkey" PRIMARY KEY ("import_id", "email_canonical")
);

CREATE TABLE "import_rejected" (
    "import_id" UUID NOT NULL,
    "line" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "reason" TEXT NOT NULL,

    CONSTRAINT "import_rejected_pkey" PRIMARY KEY ("import_id", "line")
);

-- Who was on the list already when a run met them. By id alone: an address that is erased must not live on here.
CREATE TABLE "import_left" (
    "import_id" UUID NOT NULL,
    "subscriber_id" UUID NOT NULL,
    "outcome" TEXT NOT NULL,
    -- The version that a blank name was filled with; null when it was left.
    "named_version" INTEGER,

    CONSTRAINT "import_left_pkey" PRIMARY KEY ("import_id", "subscriber_id")
);

-- Whom a run added, newest first.
CREATE INDEX "subscribers_import_idx" ON "subscribers" ("source_id", "id") WHERE "source" = 'import';

-- A transaction that goes on for seconds counts apart, in rows that no other connection touches: nobody waits for it, and it
-- waits for nobody. Housekeeping folds those rows into one of its own.
CREATE FUNCTION "count_shard"() RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN current_setting('rollcall.counting', true) = 'apart' THEN 100 + pg_backend_pid() ELSE pg_backend_pid() % 16 END
$$;

CREATE OR REPLACE FUNCTION "count_subscribers_in"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO subscriber_counts AS c (newsletter_id, status, shard, people)
  SELECT newsletter_id, status, count_shard(), count(*) FROM added GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (newsletter_id, status, shard) DO UPDATE SET people = c.people + excluded.people;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "count_subscribers_out"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO subscriber_counts AS c (newsletter_id, status, shard, people)
  SELECT newsletter_id, status, count_shard(), -count(*) FROM removed GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (newsletter_id, status, shard) DO UPDATE SET people = c.people + excluded.people;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "count_subscribers_moved"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO subscriber_counts AS c (newsletter_id, status, shard, people)
  SELECT newsletter_id, status, count_shard(), sum(n) FROM (
    SELECT newsletter_id, status, 1 AS n FROM added UNION ALL SELECT newsletter_id, status, -1 FROM removed
  ) AS moves GROUP BY 1, 2 HAVING sum(n) <> 0 ORDER BY 1, 2
  ON CONFLICT (newsletter_id, status, shard) DO UPDATE SET people = c.people + excluded.people;
  RETURN NULL;
END $$;
