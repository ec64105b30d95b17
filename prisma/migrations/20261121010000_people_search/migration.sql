-- What the dashboard searches and sorts: a copy of the list, made behind it by a indexer (server/db/search-fill.ts), so that a
-- create pays nothing for it. It may lag: a search adds who is not in it yet, and finds how many those are by comparing counts.
CREATE TABLE "people_search" (
    "newsletter_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    -- Lower case, in the order of bytes.
    "email" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C",
    "status" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "source_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),

    CONSTRAINT "people_search_pkey" PRIMARY KEY ("newsletter_id", "id")
) WITH (fillfactor = 90); -- room for a status to change where it stands, without a word to the indexes

CREATE INDEX "people_search_email_idx" ON "people_search" ("newsletter_id", "email", "id");
CREATE INDEX "people_search_name_idx" ON "people_search" ("newsletter_id", "name", "id");

-- How many are in it. Spread over shards by connection, as subscriber_counts is.
CREATE TABLE "people_search_counts" (
    "newsletter_id" UUID NOT NULL,
    "source" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "shard" INTEGER NOT NULL,
    "people" BIGINT NOT NULL,

    CONSTRAINT "people_search_counts_pkey" PRIMARY KEY ("newsletter_id", "source", "status", "shard")
);

-- And how many of them were added in which quarter of an hour, which every time zone's days are made of.
CREATE TABLE "people_added" (
    "newsletter_id" UUID NOT NULL,
    "quarter" TIMESTAMPTZ(0) NOT NULL,
    "shard" INTEGER NOT NULL,
    "people" BIGINT NOT NULL,

    CONSTRAINT "people_added_pkey" PRIMARY KEY ("newsletter_id", "quarter", "shard")
);

ALTER TABLE "people_search_counts"
  ADD CONSTRAINT "people_search_counts_newsletter_id_fkey" FOREIGN KEY ("newsletter_id") REFERENCES "newsletters"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "people_added"
  ADD CONSTRAINT "people_added_newsletter_id_fkey" FOREIGN KEY ("newsletter_id") REFERENCES "newsletters"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE FUNCTION "searched_name"(first_name text, last_name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT nullif(lower(trim(first_name || ' ' || last_name)), '')
$$;
CREATE FUNCTION "quarter_of"(moment timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT date_bin('15 minutes', moment, '2000-01-01T00:00:00Z')
$$;

-- Any part of an address or a name is found by its trigrams. Where the extension may not be made, a search reads the copy
-- from end to end instead: slower, and with the same answers.
DO $$
DECLARE place text;
BEGIN
  BEGIN
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
  EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
    RAISE NOTICE 'pg_trgm cannot be made here (%): searches will read the whole list', SQLERRM;
  END;
  SELECT quote_ident(n.nspname) INTO place FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_trgm';
  IF place IS NOT NULL THEN
    EXECUTE format('CREATE INDEX people_search_trigrams ON people_search USING gin (email %1$s.gin_trgm_ops, name %1$s.gin_trgm_ops)', place);
  END IF;
END $$;

-- The copy follows what happens to people who are in it, in the same transaction. The settings: a few rows are looked up one by
-- one by the key, whatever the planner made of the table when this connection first planned.
CREATE FUNCTION "people_search_forget"() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  WITH gone AS (
    DELETE FROM people_search p USING removed r WHERE p.newsletter_id = r.newsletter_id AND p.id = r.id
    RETURNING p.newsletter_id, p.source, p.status, p.created_at
  ), added_less AS (
    INSERT INTO people_added AS c (newsletter_id, quarter, shard, people)
    SELECT newsletter_id, quarter_of(created_at), count_shard(), -count(*) FROM gone GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (newsletter_id, quarter, shard) DO UPDATE SET people = c.people + excluded.people
  )
  INSERT INTO people_search_counts AS c (newsletter_id, source, status, shard, people)
  SELECT newsletter_id, source, status, count_shard(), -count(*) FROM gone GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (newsletter_id, source, status, shard) DO UPDATE SET people = c.people + excluded.people;
  RETURN NULL;
END $$;

CREATE FUNCTION "people_search_follow"() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  WITH moved AS (
    UPDATE people_search p SET email = lower(a.email), name = searched_name(a.first_name, a.last_name),
      status = a.status, confirmed_at = a.confirmed_at
    FROM added a WHERE p.newsletter_id = a.newsletter_id AND p.id = a.id AND
      (p.email, p.name, p.status, p.confirmed_at) IS DISTINCT FROM
      (lower(a.email), searched_name(a.first_name, a.last_name), a.status, a.confirmed_at)
    RETURNING p.newsletter_id, p.id, p.source, p.status
  )
  INSERT INTO people_search_counts AS c (newsletter_id, source, status, shard, people)
  SELECT newsletter_id, source, status, count_shard(), sum(n) FROM (
    SELECT newsletter_id, source, status, 1 AS n FROM moved
    UNION ALL SELECT m.newsletter_id, m.source, r.status, -1 FROM moved m JOIN removed r USING (newsletter_id, id)
  ) AS moves GROUP BY 1, 2, 3 HAVING sum(n) <> 0 ORDER BY 1, 2, 3
  ON CONFLICT (newsletter_id, source, status, shard) DO UPDATE SET people = c.people + excluded.people;
  RETURN NULL;
END $$;

CREATE FUNCTION "people_search_empty"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE people_search;
  DELETE FROM people_search_counts;
  DELETE FROM people_added;
  DELETE FROM subscriber_counts;
  RETURN NULL;
END $$;

CREATE TRIGGER "subscribers_searched_out" AFTER DELETE ON "subscribers"
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "people_search_forget"();
CREATE TRIGGER "subscribers_searched_moved" AFTER UPDATE ON "subscribers"
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "people_search_follow"();
CREATE TRIGGER "subscribers_searched_empty" AFTER TRUNCATE ON "subscribers"
  FOR EACH STATEMENT EXECUTE FUNCTION "people_search_empty"();

-- What the copies rest on and never changes about a person: a row that must change it is deleted and added anew.
CREATE FUNCTION "keep_origin"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'where and when a person came from does not change';
END $$;
CREATE TRIGGER "subscribers_keep_origin" BEFORE UPDATE OF "newsletter_id", "id", "source", "source_id", "created_at" ON "subscribers"
  FOR EACH ROW WHEN ((OLD."newsletter_id", OLD."id", OLD."source", OLD."source_id", OLD."created_at") IS DISTINCT FROM
    (NEW."newsletter_id", NEW."id", NEW."source", NEW."source_id", NEW."created_at")) EXECUTE FUNCTION "keep_origin"();

-- Who confirmed, by when; a create, which confirms nobody, does not touch it.
CREATE INDEX "subscribers_confirmed_idx" ON "subscribers" ("newsletter_id", "confirmed_at", "id") WHERE "confirmed_at" IS NOT NULL;
