-- subscribed_at: when the subscriber originally signed up, if that was before they were added here; NULL: when they were added.
-- external_id: the subscriber's id in another system, unique in the newsletter.
ALTER TABLE subscribers ADD COLUMN subscribed_at timestamptz(3), ADD COLUMN external_id text,
  ADD CONSTRAINT subscribers_external_id_check CHECK (char_length(external_id) BETWEEN 1 AND 255);
ALTER TABLE import_rows ADD COLUMN external_id text;
-- Partial indexes: a subscriber without these values costs no write to them.
CREATE INDEX subscribers_subscribed_idx ON subscribers (newsletter_id, subscribed_at, id) WHERE subscribed_at IS NOT NULL;
CREATE UNIQUE INDEX subscribers_external_id_key ON subscribers (newsletter_id, external_id) WHERE external_id IS NOT NULL;

-- The time in an id, the inverse of uuid_at().
CREATE FUNCTION time_of_id(id uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT to_timestamp(('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0)::timestamptz(3)
$$;

-- The search index stores the date too, because the growth chart counts by it.
ALTER TABLE people_search ADD COLUMN subscribed_at timestamptz(3);
CREATE OR REPLACE VIEW people_searchable AS
  SELECT newsletter_id, id, lower(email) COLLATE "C" AS email, searched_name(first_name, last_name) COLLATE "C" AS name,
    status, source, source_id, created_at, confirmed_at, subscribed_at
  FROM subscribers;

CREATE OR REPLACE FUNCTION people_search_follow() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  WITH moved AS (
    UPDATE people_search p SET email = lower(a.email), name = searched_name(a.first_name, a.last_name),
      status = a.status, confirmed_at = a.confirmed_at, subscribed_at = a.subscribed_at
    FROM added a WHERE p.newsletter_id = a.newsletter_id AND p.id = a.id AND
      (p.email, p.name, p.status, p.confirmed_at, p.subscribed_at) IS DISTINCT FROM
      (lower(a.email), searched_name(a.first_name, a.last_name), a.status, a.confirmed_at, a.subscribed_at)
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

-- When a person became active: when they confirmed, or else when they signed up.
CREATE OR REPLACE VIEW people_once_active AS
  SELECT newsletter_id, id, coalesce(confirmed_at, subscribed_at, created_at) AS became_at, unsubscribed_at AS stopped_at FROM subscribers s
  WHERE status = 'unsubscribed' AND unsubscribed_at > coalesce(confirmed_at, subscribed_at, created_at) AND (confirmed_at IS NOT NULL OR NOT EXISTS (
    SELECT FROM mails m WHERE m.newsletter_id = s.newsletter_id AND m.subscriber_id = s.id AND m.kind = 'confirmation' OFFSET 0));

CREATE OR REPLACE FUNCTION people_active_in() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  INSERT INTO people_active AS c (newsletter_id, quarter, shard, became, stopped)
  SELECT newsletter_id, quarter_of(at), count_shard(), sum(became), sum(stopped) FROM (
    SELECT newsletter_id, coalesce(confirmed_at, subscribed_at, created_at) AS at, 1 AS became, 0 AS stopped
    FROM added WHERE status = 'active'
    UNION ALL
    SELECT a.newsletter_id, moved.at, moved.became, moved.stopped
    FROM added a JOIN people_once_active p ON p.newsletter_id = a.newsletter_id AND p.id = a.id
      CROSS JOIN LATERAL (VALUES (p.became_at, 1, 0), (p.stopped_at, 0, 1)) AS moved (at, became, stopped)
    WHERE a.status = 'unsubscribed'
  ) AS moves GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (newsletter_id, quarter, shard)
    DO UPDATE SET became = c.became + excluded.became, stopped = c.stopped + excluded.stopped;
  RETURN NULL;
END $$;

-- A change of the status counts now. A corrected sign-up date of an active person moves their count to its quarter.
CREATE OR REPLACE FUNCTION people_active_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO people_active AS c (newsletter_id, quarter, shard, became, stopped)
  SELECT newsletter_id, quarter, count_shard(), sum(became), sum(stopped) FROM (
    SELECT newsletter_id, quarter_of(CURRENT_TIMESTAMP) AS quarter, is_active::int AS became, (NOT is_active)::int AS stopped
    FROM (
      SELECT newsletter_id, bool_or(is_new AND status = 'active') AS is_active FROM (
        SELECT newsletter_id, id, status, true AS is_new FROM added
        UNION ALL SELECT newsletter_id, id, status, false FROM removed
      ) AS states GROUP BY newsletter_id, id HAVING count(*) FILTER (WHERE status = 'active') = 1
    ) AS moves
    UNION ALL
    SELECT newsletter_id, quarter_of(moved.at), moved.n, 0 FROM (
      SELECT newsletter_id, max(at) FILTER (WHERE is_new) AS is_at, max(at) FILTER (WHERE NOT is_new) AS was_at FROM (
        SELECT newsletter_id, id, coalesce(subscribed_at, created_at) AS at, true AS is_new
        FROM added WHERE status = 'active' AND confirmed_at IS NULL
        UNION ALL SELECT newsletter_id, id, coalesce(subscribed_at, created_at), false
        FROM removed WHERE status = 'active' AND confirmed_at IS NULL
      ) AS dates GROUP BY newsletter_id, id HAVING count(*) = 2 AND min(at) <> max(at)
    ) AS corrected CROSS JOIN LATERAL (VALUES (is_at, 1), (was_at, -1)) AS moved (at, n)
  ) AS counted GROUP BY 1, 2 HAVING sum(became) <> 0 OR sum(stopped) <> 0 ORDER BY 1, 2
  ON CONFLICT (newsletter_id, quarter, shard)
    DO UPDATE SET became = c.became + excluded.became, stopped = c.stopped + excluded.stopped;
  RETURN NULL;
END $$;
