-- The change feed: what happened to whom, for programs that follow a list. Its order is that of transaction ids, and a reader
-- stops below the oldest transaction that is still under way: so nothing appears behind what was read. One row for a person and
-- a transaction. No foreign keys: a check for each row would not be free. bigint rather than xid8, which has no max() before 15.
CREATE TABLE changes (
  newsletter_id uuid NOT NULL,
  xid bigint NOT NULL,
  subscriber_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('created', 'updated', 'confirmed', 'unsubscribed', 'erased')),
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (newsletter_id, xid, subscriber_id)
);

-- Which history the positions of readers belong to: one row. Another database, or the same one restored, has other transaction
-- ids, and there every position of before is void.
CREATE TABLE change_epoch (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  epoch uuid NOT NULL DEFAULT gen_random_uuid(),
  -- Of the database that these transaction ids are from; null until somebody reads the feed.
  identity text,
  -- The highest transaction id whose changes have had their time.
  floor bigint NOT NULL DEFAULT -1
);
INSERT INTO change_epoch DEFAULT VALUES;

-- The cluster, its timeline (another one after a failover or a recovery to a point in time) and the database; empty where the
-- provider lets nobody ask.
CREATE FUNCTION database_identity() RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT system_identifier || '/' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) FROM pg_control_system())
    || '/' || (SELECT oid FROM pg_database WHERE datname = current_database());
EXCEPTION WHEN OTHERS THEN
  RETURN '';
END $$;

-- The oldest transaction that is under way: those below it have ended, and what they wrote is to be seen.
CREATE FUNCTION oldest_transaction() RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint
$$;
CREATE FUNCTION this_transaction() RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT pg_current_xact_id()::text::bigint
$$;

-- The triggers that count people write the feed, too, in one statement with the counts: whatever a service does is in both.
CREATE OR REPLACE FUNCTION count_subscribers_in() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH noted AS (
    INSERT INTO changes (newsletter_id, xid, subscriber_id, kind)
    SELECT newsletter_id, this_transaction(), id, 'created' FROM added
  )
  INSERT INTO subscriber_counts AS c (newsletter_id, status, shard, people)
  SELECT newsletter_id, status, count_shard(), count(*) FROM added GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (newsletter_id, status, shard) DO UPDATE SET people = c.people + excluded.people;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION count_subscribers_out() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH noted AS (
    INSERT INTO changes (newsletter_id, xid, subscriber_id, kind)
    SELECT newsletter_id, this_transaction(), id, 'erased' FROM removed
    ON CONFLICT (newsletter_id, xid, subscriber_id) DO UPDATE SET kind = excluded.kind
  )
  INSERT INTO subscriber_counts AS c (newsletter_id, status, shard, people)
  SELECT newsletter_id, status, count_shard(), -count(*) FROM removed GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (newsletter_id, status, shard) DO UPDATE SET people = c.people + excluded.people;
  RETURN NULL;
END $$;

-- Every change of a person counts their version up. Before and after are grouped rather than joined: a join that was planned for
-- one person would compare each of thousands with each. Of two changes in one transaction the one that says more stays.
CREATE OR REPLACE FUNCTION count_subscribers_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH noted AS (
    INSERT INTO changes AS c (newsletter_id, xid, subscriber_id, kind)
    SELECT newsletter_id, this_transaction(), id, CASE
      WHEN max(status) FILTER (WHERE is_new) = 'active'
        AND max(confirmed_at) FILTER (WHERE is_new) IS DISTINCT FROM max(confirmed_at) FILTER (WHERE NOT is_new) THEN 'confirmed'
      WHEN max(status) FILTER (WHERE is_new) = 'unsubscribed' AND min(status) <> max(status) THEN 'unsubscribed'
      ELSE 'updated' END
    FROM (
      SELECT newsletter_id, id, status, confirmed_at, version, true AS is_new FROM added
      UNION ALL SELECT newsletter_id, id, status, confirmed_at, version, false FROM removed
    ) AS states GROUP BY newsletter_id, id HAVING min(version) <> max(version)
    ON CONFLICT (newsletter_id, xid, subscriber_id) DO UPDATE SET kind = excluded.kind
      WHERE c.kind <> 'created' AND excluded.kind <> 'updated'
  )
  INSERT INTO subscriber_counts AS c (newsletter_id, status, shard, people)
  SELECT newsletter_id, status, count_shard(), sum(n) FROM (
    SELECT newsletter_id, status, 1 AS n FROM added UNION ALL SELECT newsletter_id, status, -1 FROM removed
  ) AS moves GROUP BY 1, 2 HAVING sum(n) <> 0 ORDER BY 1, 2
  ON CONFLICT (newsletter_id, status, shard) DO UPDATE SET people = c.people + excluded.people;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION people_search_empty() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE people_search, changes;
  DELETE FROM people_search_counts;
  DELETE FROM people_added;
  DELETE FROM subscriber_counts;
  UPDATE change_epoch SET epoch = gen_random_uuid();
  RETURN NULL;
END $$;

CREATE FUNCTION forget_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM changes WHERE newsletter_id = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER newsletters_forget_changes AFTER DELETE ON newsletters FOR EACH ROW EXECUTE FUNCTION forget_changes();
