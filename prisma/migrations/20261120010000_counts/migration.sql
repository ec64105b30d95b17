-- How many people a newsletter has, by status, kept beside every change, so that a total costs the same at ten million
-- as at ten. Spread over 16 rows by connection: one row would make every create wait for the one before it.
CREATE TABLE "subscriber_counts" (
    "newsletter_id" UUID NOT NULL,
    "status" TEXT NOT NULL,
    "shard" INTEGER NOT NULL,
    "people" BIGINT NOT NULL,

    CONSTRAINT "subscriber_counts_pkey" PRIMARY KEY ("newsletter_id", "status", "shard")
);

ALTER TABLE "subscriber_counts"
  ADD CONSTRAINT "subscriber_counts_newsletter_id_fkey" FOREIGN KEY ("newsletter_id") REFERENCES "newsletters"("id") ON DELETE CASCADE ON UPDATE CASCADE;

INSERT INTO "subscriber_counts" ("newsletter_id", "status", "shard", "people")
SELECT "newsletter_id", "status", 0, count(*) FROM "subscribers" GROUP BY 1, 2;

-- Once a statement, whatever it changed. Rows are taken in one order, so that two statements never wait in a circle.
CREATE FUNCTION "count_subscribers_in"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO subscriber_counts AS c (newsletter_id, status, shard, people)
  SELECT newsletter_id, status, pg_backend_pid() % 16, count(*) FROM added GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (newsletter_id, status, shard) DO UPDATE SET people = c.people + excluded.people;
  RETURN NULL;
END $$;

CREATE FUNCTION "count_subscribers_out"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO subscriber_counts AS c (newsletter_id, status, shard, people)
  SELECT newsletter_id, status, pg_backend_pid() % 16, -count(*) FROM removed GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (newsletter_id, status, shard) DO UPDATE SET people = c.people + excluded.people;
  RETURN NULL;
END $$;

CREATE FUNCTION "count_subscribers_moved"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO subscriber_counts AS c (newsletter_id, status, shard, people)
  SELECT newsletter_id, status, pg_backend_pid() % 16, sum(n) FROM (
    SELECT newsletter_id, status, 1 AS n FROM added UNION ALL SELECT newsletter_id, status, -1 FROM removed
  ) AS moves GROUP BY 1, 2 HAVING sum(n) <> 0 ORDER BY 1, 2
  ON CONFLICT (newsletter_id, status, shard) DO UPDATE SET people = c.people + excluded.people;
  RETURN NULL;
END $$;

CREATE TRIGGER "subscribers_counted_in" AFTER INSERT ON "subscribers"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "count_subscribers_in"();
CREATE TRIGGER "subscribers_counted_out" AFTER DELETE ON "subscribers"
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "count_subscribers_out"();
CREATE TRIGGER "subscribers_counted_moved" AFTER UPDATE ON "subscribers"
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "count_subscribers_moved"();

-- Pages of one status, wherever its people lie: a list whose newer half left would make the first page of active people
-- read all of them. The status first: with the newsletter first, foreign-key checks might take this index for their own.
-- It costs a bulk of 100 nothing that could be measured.
CREATE INDEX "subscribers_status_newsletter_id_id_idx" ON "subscribers" ("status", "newsletter_id", "id");
