-- How many people became active and stopped being so, in each quarter of an hour: what the overview draws and the digest tells.
-- It follows the search index, so that a create pays nothing: who is not in the index yet is counted from the list. For those
-- who are in it, became - stopped is how many of them are active, at every moment.
CREATE TABLE people_active (
  newsletter_id uuid NOT NULL REFERENCES newsletters (id) ON DELETE CASCADE ON UPDATE CASCADE,
  quarter timestamptz(0) NOT NULL,
  shard integer NOT NULL,
  became bigint NOT NULL,
  stopped bigint NOT NULL,
  PRIMARY KEY (newsletter_id, quarter, shard)
);

-- Who was active and has left: not those who were brought as unsubscribed, nor those who were asked to confirm and never did.
CREATE VIEW people_once_active AS
  SELECT newsletter_id, id, coalesce(confirmed_at, created_at) AS became_at, unsubscribed_at AS stopped_at FROM subscribers s
  WHERE status = 'unsubscribed' AND unsubscribed_at > coalesce(confirmed_at, created_at) AND (confirmed_at IS NOT NULL OR NOT EXISTS (
    SELECT FROM mails m WHERE m.newsletter_id = s.newsletter_id AND m.subscriber_id = s.id AND m.kind = 'confirmation' OFFSET 0));

-- Who comes into the index is there for some seconds at least: when they confirmed, or else were added, is when they became active.
-- The settings: as of people_search_forget().
CREATE FUNCTION people_active_in() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  INSERT INTO people_active AS c (newsletter_id, quarter, shard, became, stopped)
  SELECT newsletter_id, quarter_of(at), count_shard(), sum(became), sum(stopped) FROM (
    SELECT newsletter_id, coalesce(confirmed_at, created_at) AS at, 1 AS became, 0 AS stopped FROM added WHERE status = 'active'
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

CREATE FUNCTION people_active_out() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO people_active AS c (newsletter_id, quarter, shard, became, stopped)
  SELECT newsletter_id, quarter_of(CURRENT_TIMESTAMP), count_shard(), 0, count(*)
  FROM removed WHERE status = 'active' GROUP BY 1 ORDER BY 1
  ON CONFLICT (newsletter_id, quarter, shard) DO UPDATE SET stopped = c.stopped + excluded.stopped;
  RETURN NULL;
END $$;

-- Before and after are grouped rather than joined, as in count_subscribers_moved().
CREATE FUNCTION people_active_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO people_active AS c (newsletter_id, quarter, shard, became, stopped)
  SELECT newsletter_id, quarter_of(CURRENT_TIMESTAMP), count_shard(), count(*) FILTER (WHERE is_active), count(*) FILTER (WHERE NOT is_active)
  FROM (
    SELECT newsletter_id, bool_or(is_new AND status = 'active') AS is_active FROM (
      SELECT newsletter_id, id, status, true AS is_new FROM added
      UNION ALL SELECT newsletter_id, id, status, false FROM removed
    ) AS states GROUP BY newsletter_id, id HAVING count(*) FILTER (WHERE status = 'active') = 1
  ) AS moves GROUP BY 1 ORDER BY 1
  ON CONFLICT (newsletter_id, quarter, shard)
    DO UPDATE SET became = c.became + excluded.became, stopped = c.stopped + excluded.stopped;
  RETURN NULL;
END $$;

CREATE FUNCTION people_active_empty() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM people_active;
  RETURN NULL;
END $$;

-- Until this ends nobody writes the index: creates go on, and who changes a person waits for the seconds that the history takes.
LOCK TABLE people_search IN SHARE ROW EXCLUSIVE MODE;

-- What is known of the time before: when those who are active became so, and when those who left came and left. Of people who were
-- erased nothing is known, nor of earlier times of those who came back; neither changes what became - stopped gives.
INSERT INTO people_active (newsletter_id, quarter, shard, became, stopped)
SELECT newsletter_id, quarter_of(at), 0, sum(became), sum(stopped) FROM (
  SELECT newsletter_id, coalesce(confirmed_at, created_at) AS at, 1 AS became, 0 AS stopped FROM people_search WHERE status = 'active'
  UNION ALL
  SELECT p.newsletter_id, moved.at, moved.became, moved.stopped FROM people_search p
    JOIN people_once_active o ON o.newsletter_id = p.newsletter_id AND o.id = p.id
    CROSS JOIN LATERAL (VALUES (o.became_at, 1, 0), (o.stopped_at, 0, 1)) AS moved (at, became, stopped)
  WHERE p.status = 'unsubscribed'
) AS history GROUP BY 1, 2;

CREATE TRIGGER people_search_active_in AFTER INSERT ON people_search
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION people_active_in();
CREATE TRIGGER people_search_active_out AFTER DELETE ON people_search
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION people_active_out();
CREATE TRIGGER people_search_active_moved AFTER UPDATE ON people_search
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION people_active_moved();
CREATE TRIGGER people_search_active_empty AFTER TRUNCATE ON people_search
  FOR EACH STATEMENT EXECUTE FUNCTION people_active_empty();
