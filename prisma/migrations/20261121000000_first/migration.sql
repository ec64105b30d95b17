-- The tables as prisma/schema.prisma describes them, and what its language can't express: checks, partial indexes, functions,
-- triggers. Foreign keys and checks without a name get PostgreSQL's own, which is also Prisma's.

-- Asked first: IF NOT EXISTS needs the right to create schemas even where there is one.
DO $$ BEGIN IF to_regnamespace('public') IS NULL THEN CREATE SCHEMA public; END IF; END $$;

CREATE TABLE accounts (
  id uuid PRIMARY KEY,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 255),
  api_access boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE newsletters (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 255),
  sender text,
  reply_to text,
  language text NOT NULL DEFAULT 'en',
  time_zone text NOT NULL DEFAULT 'UTC',
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- The newsletter's own words for its confirmation mail. Null: ours, in its language.
  confirm_subject text CHECK (char_length(confirm_subject) BETWEEN 1 AND 200),
  confirm_intro text CHECK (char_length(confirm_intro) BETWEEN 1 AND 1000),
  confirm_next_url text CHECK (confirm_next_url LIKE 'https://%' AND char_length(confirm_next_url) <= 2000)
);
CREATE UNIQUE INDEX newsletters_account_id_id_key ON newsletters (account_id, id);


-- Subscribers

CREATE TABLE subscribers (
  newsletter_id uuid NOT NULL REFERENCES newsletters (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  id uuid NOT NULL,
  email text NOT NULL,
  email_canonical text NOT NULL,
  first_name text NOT NULL DEFAULT '',
  last_name text NOT NULL DEFAULT '',
  status text NOT NULL CHECK (status IN ('active', 'pending', 'unsubscribed')),
  source text NOT NULL CHECK (source IN ('api', 'dashboard', 'import', 'public', 'operator')),
  source_id uuid,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  confirmed_at timestamptz(3),
  unsubscribed_at timestamptz(3),
  PRIMARY KEY (newsletter_id, id),
  CONSTRAINT subscribers_email_check CHECK (char_length(email) BETWEEN 5 AND 254 AND char_length(email_canonical) <= 254),
  CONSTRAINT subscribers_name_check CHECK (char_length(first_name) + char_length(last_name) <= 255)
);
-- The address first: with the newsletter first, the foreign-key checks of a list that was never analysed would take this
-- index for their own and read the whole newsletter.
CREATE UNIQUE INDEX subscribers_email_canonical_newsletter_id_key ON subscribers (email_canonical, newsletter_id);
-- Pages of one status, wherever its people lie: when the newer half of a list has unsubscribed, the first page of active
-- people would otherwise read all of them. The status first, for the same reason. It costs a bulk of 100 nothing measurable.
CREATE INDEX subscribers_status_newsletter_id_id_idx ON subscribers (status, newsletter_id, id);
-- People from elsewhere than the API, which brings the most.
CREATE INDEX subscribers_rare_source_idx ON subscribers (newsletter_id, source, id) WHERE source <> 'api';
-- The people an import added, newest first.
CREATE INDEX subscribers_import_idx ON subscribers (source_id, id) WHERE source = 'import';
-- Who confirmed, by when; a create, which confirms nobody, does not touch it.
CREATE INDEX subscribers_confirmed_idx ON subscribers (newsletter_id, confirmed_at, id) WHERE confirmed_at IS NOT NULL;

CREATE TABLE subscriber_events (
  id uuid PRIMARY KEY,
  newsletter_id uuid NOT NULL,
  subscriber_id uuid NOT NULL,
  kind text NOT NULL,
  actor_kind text NOT NULL,
  actor_id uuid,
  address text,
  detail jsonb,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  FOREIGN KEY (newsletter_id, subscriber_id) REFERENCES subscribers (newsletter_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX subscriber_events_newsletter_id_subscriber_id_id_idx ON subscriber_events (newsletter_id, subscriber_id, id);

CREATE TABLE suppressions (
  newsletter_id uuid NOT NULL REFERENCES newsletters (id) ON DELETE CASCADE,
  email_canonical text NOT NULL,
  reason text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (newsletter_id, email_canonical)
);

-- Ends a transaction that had to insert all of its rows and could not: the rows that did go in are rolled back.
CREATE FUNCTION reject_incomplete() RETURNS text[] LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an address is on the list already' USING ERRCODE = 'RC001';
END $$;

-- Source and time of creation never change, because the counts and the search index build on them: a row that must change
-- them is deleted and inserted anew.
CREATE FUNCTION keep_origin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'where and when a person came from does not change';
END $$;
CREATE TRIGGER subscribers_keep_origin BEFORE UPDATE OF newsletter_id, id, source, source_id, created_at ON subscribers
  FOR EACH ROW WHEN ((OLD.newsletter_id, OLD.id, OLD.source, OLD.source_id, OLD.created_at) IS DISTINCT FROM
    (NEW.newsletter_id, NEW.id, NEW.source, NEW.source_id, NEW.created_at)) EXECUTE FUNCTION keep_origin();

-- A UUID v7 (RFC 9562) as the server makes them: milliseconds, a 12-bit counter, 62 random bits. `n` counts within the statement;
-- beyond the counter the time runs ahead. PostgreSQL has its own uuidv7() only from version 18 on.
CREATE FUNCTION new_id(moment timestamptz, n bigint) RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint + n / 4096), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0')
    || substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid
$$;

-- The lowest UUID v7 of a moment: ids are in the order of time, so an age is a range of the primary key.
CREATE FUNCTION uuid_at(moment timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid
$$;


-- Counts of subscribers, kept by triggers

-- How many people a newsletter has, by status, written with every change, so that a total costs the same at ten million
-- as at ten. Spread over 16 rows by connection: one row would make every create wait for the one before it.
CREATE TABLE subscriber_counts (
  newsletter_id uuid NOT NULL REFERENCES newsletters (id) ON DELETE CASCADE ON UPDATE CASCADE,
  status text NOT NULL,
  shard integer NOT NULL,
  people bigint NOT NULL,
  PRIMARY KEY (newsletter_id, status, shard)
);

-- A transaction that runs for seconds counts separately, in rows that no other connection touches: nobody waits for it, and it
-- waits for nobody. Housekeeping adds those rows to one of its own.
CREATE FUNCTION count_shard() RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN current_setting('rollcall.counting', true) = 'apart' THEN 100 + pg_backend_pid() ELSE pg_backend_pid() % 16 END
$$;

-- Once a statement, whatever it changed. Rows are locked in one order, so that two statements never wait for each other.
CREATE FUNCTION count_subscribers_in() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO subscriber_counts AS c (newsletter_id, status, shard, people)
  SELECT newsletter_id, status, count_shard(), count(*) FROM added GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (newsletter_id, status, shard) DO UPDATE SET people = c.people + excluded.people;
  RETURN NULL;
END $$;
CREATE FUNCTION count_subscribers_out() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO subscriber_counts AS c (newsletter_id, status, shard, people)
  SELECT newsletter_id, status, count_shard(), -count(*) FROM removed GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (newsletter_id, status, shard) DO UPDATE SET people = c.people + excluded.people;
  RETURN NULL;
END $$;
CREATE FUNCTION count_subscribers_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO subscriber_counts AS c (newsletter_id, status, shard, people)
  SELECT newsletter_id, status, count_shard(), sum(n) FROM (
    SELECT newsletter_id, status, 1 AS n FROM added UNION ALL SELECT newsletter_id, status, -1 FROM removed
  ) AS moves GROUP BY 1, 2 HAVING sum(n) <> 0 ORDER BY 1, 2
  ON CONFLICT (newsletter_id, status, shard) DO UPDATE SET people = c.people + excluded.people;
  RETURN NULL;
END $$;
CREATE TRIGGER subscribers_counted_in AFTER INSERT ON subscribers
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_subscribers_in();
CREATE TRIGGER subscribers_counted_out AFTER DELETE ON subscribers
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_subscribers_out();
CREATE TRIGGER subscribers_counted_moved AFTER UPDATE ON subscribers
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_subscribers_moved();


-- The search index

-- What the dashboard searches and sorts: a copy of the list, written later by an indexer (server/db/search-indexer.ts), so that a
-- create pays nothing for it. It may lag: a search adds who is not in it yet, and finds how many those are by comparing counts.
CREATE TABLE people_search (
  newsletter_id uuid NOT NULL,
  id uuid NOT NULL,
  email text COLLATE "C" NOT NULL, -- lower case, in the order of bytes
  name text COLLATE "C",
  status text NOT NULL,
  source text NOT NULL,
  source_id uuid,
  created_at timestamptz(3) NOT NULL,
  confirmed_at timestamptz(3),
  PRIMARY KEY (newsletter_id, id)
) WITH (fillfactor = 90); -- room for a status to change in place, without a write to the indexes
CREATE INDEX people_search_email_idx ON people_search (newsletter_id, email, id);
CREATE INDEX people_search_name_idx ON people_search (newsletter_id, name, id);

-- How many are in it. Spread over shards by connection, as subscriber_counts is.
CREATE TABLE people_search_counts (
  newsletter_id uuid NOT NULL REFERENCES newsletters (id) ON DELETE CASCADE ON UPDATE CASCADE,
  source text NOT NULL,
  status text NOT NULL,
  shard integer NOT NULL,
  people bigint NOT NULL,
  PRIMARY KEY (newsletter_id, source, status, shard)
);

-- How many of them were added in each quarter of an hour, of which every time zone's days are made.
CREATE TABLE people_added (
  newsletter_id uuid NOT NULL REFERENCES newsletters (id) ON DELETE CASCADE ON UPDATE CASCADE,
  quarter timestamptz(0) NOT NULL,
  shard integer NOT NULL,
  people bigint NOT NULL,
  PRIMARY KEY (newsletter_id, quarter, shard)
);

CREATE FUNCTION searched_name(first_name text, last_name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT nullif(lower(trim(first_name || ' ' || last_name)), '')
$$;
CREATE FUNCTION quarter_of(moment timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT date_bin('15 minutes', moment, '2000-01-01T00:00:00Z')
$$;

-- What the search index has of a subscriber. A column added to both goes to the end of both.
CREATE VIEW people_searchable AS
  SELECT newsletter_id, id, lower(email) COLLATE "C" AS email, searched_name(first_name, last_name) COLLATE "C" AS name,
    status, source, source_id, created_at, confirmed_at
  FROM subscribers;

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

-- People who are in the copy change and go there in the same transaction. The settings: a few rows are looked up one by one by
-- the key, whatever the planner thought of the table when this connection first planned.
CREATE FUNCTION people_search_forget() RETURNS trigger LANGUAGE plpgsql
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

CREATE FUNCTION people_search_follow() RETURNS trigger LANGUAGE plpgsql
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

CREATE FUNCTION people_search_empty() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE people_search;
  DELETE FROM people_search_counts;
  DELETE FROM people_added;
  DELETE FROM subscriber_counts;
  RETURN NULL;
END $$;

CREATE TRIGGER subscribers_searched_out AFTER DELETE ON subscribers
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION people_search_forget();
CREATE TRIGGER subscribers_searched_moved AFTER UPDATE ON subscribers
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION people_search_follow();
CREATE TRIGGER subscribers_searched_empty AFTER TRUNCATE ON subscribers
  FOR EACH STATEMENT EXECUTE FUNCTION people_search_empty();


-- API keys and their requests

CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  newsletter_id uuid NOT NULL REFERENCES newsletters (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  name text NOT NULL,
  prefix text NOT NULL,
  secret_sha256 bytea NOT NULL,
  permissions text[] CHECK (permissions <@ ARRAY['subscribers:read', 'subscribers:write']),
  created_by uuid,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  last_used_from text,
  CONSTRAINT api_keys_secret_check CHECK (octet_length(secret_sha256) = 32)
);
CREATE UNIQUE INDEX api_keys_secret_sha256_key ON api_keys (secret_sha256);
CREATE INDEX api_keys_newsletter_id_idx ON api_keys (newsletter_id);

CREATE TABLE idempotent_answers (
  api_key_id uuid NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  method text NOT NULL,
  path text NOT NULL,
  key text NOT NULL CHECK (char_length(key) BETWEEN 1 AND 255),
  request_hash bytea NOT NULL,
  status integer NOT NULL,
  body text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (api_key_id, method, path, key)
);
CREATE INDEX idempotent_answers_created_at_idx ON idempotent_answers (created_at);

-- The requests of the last 30 days: the operation and its result, without addresses or bodies.
CREATE TABLE api_requests (
  id uuid PRIMARY KEY,
  newsletter_id uuid NOT NULL,
  api_key_id uuid NOT NULL,
  operation text NOT NULL,
  status integer NOT NULL,
  code text,
  request_id text NOT NULL,
  duration_ms integer NOT NULL,
  rejected text,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX api_requests_newsletter_id_id_idx ON api_requests (newsletter_id, id);
CREATE INDEX api_requests_api_key_id_id_idx ON api_requests (api_key_id, id);
-- The request log is filtered by operation and result. Both are known in advance and few, so every combination is one range of
-- an index in the order of time, and a rare one is found as fast as a frequent one. The expression makes "no code" searchable.
CREATE INDEX api_requests_of_newsletter_idx ON api_requests (newsletter_id, operation, status, (coalesce(code, '')), id);
CREATE INDEX api_requests_of_key_idx ON api_requests (api_key_id, operation, status, (coalesce(code, '')), id);


-- Staff and the audit log

CREATE TABLE staff_members (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  email text NOT NULL,
  name text NOT NULL,
  role text NOT NULL CHECK (role IN ('owner', 'editor', 'viewer')),
  email_verified boolean NOT NULL DEFAULT false,
  image text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX staff_members_email_key ON staff_members (email);

CREATE TABLE staff_sessions (
  id uuid PRIMARY KEY,
  staff_id uuid NOT NULL REFERENCES staff_members (id) ON DELETE CASCADE ON UPDATE CASCADE,
  token text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  ip_address text,
  user_agent text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX staff_sessions_token_key ON staff_sessions (token);
CREATE INDEX staff_sessions_staff_id_idx ON staff_sessions (staff_id);

CREATE TABLE staff_credentials (
  id uuid PRIMARY KEY,
  staff_id uuid NOT NULL REFERENCES staff_members (id) ON DELETE CASCADE ON UPDATE CASCADE,
  provider_account_id text NOT NULL,
  provider_id text NOT NULL,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz(3),
  refresh_token_expires_at timestamptz(3),
  scope text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX staff_credentials_staff_id_idx ON staff_credentials (staff_id);
CREATE UNIQUE INDEX staff_credentials_provider_id_provider_account_id_key
  ON staff_credentials (provider_id, provider_account_id);

CREATE TABLE staff_verifications (
  id uuid PRIMARY KEY,
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX staff_verifications_identifier_idx ON staff_verifications (identifier);

CREATE TABLE invitations (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  email text NOT NULL,
  role text NOT NULL CHECK (role IN ('owner', 'editor', 'viewer')),
  digest text NOT NULL,
  invited_by uuid REFERENCES staff_members (id) ON DELETE SET NULL ON UPDATE CASCADE,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX invitations_digest_key ON invitations (digest);
CREATE INDEX invitations_account_id_idx ON invitations (account_id);

CREATE TABLE audit_entries (
  id uuid PRIMARY KEY,
  account_id uuid,
  newsletter_id uuid,
  actor_kind text NOT NULL,
  actor_id uuid,
  action text NOT NULL,
  subject_id uuid,
  detail jsonb,
  address text,
  request_id text,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX audit_entries_account_id_id_idx ON audit_entries (account_id, id);


-- Mails

-- A confirmation belongs to a person, a test of it to a staff member, an invitation to its record; the mail goes when they go.
CREATE TABLE mails (
  id uuid PRIMARY KEY,
  newsletter_id uuid REFERENCES newsletters (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  subscriber_id uuid,
  kind text NOT NULL,
  to_email text NOT NULL,
  recipient_hash text NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN
    ('waiting', 'deferred', 'logged', 'sending', 'sent', 'failed', 'uncertain', 'cancelled')),
  deferred_until timestamptz(3),
  link_expires_at timestamptz(3) NOT NULL,
  batch_id uuid,
  batch_position integer,
  sender text,
  reply_to text,
  subject text,
  html text,
  text text,
  attempts integer NOT NULL DEFAULT 0,
  provider_id text,
  error_code text,
  error_message text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  frozen_at timestamptz(3),
  finished_at timestamptz(3),
  staff_id uuid REFERENCES staff_members (id) ON DELETE CASCADE ON UPDATE CASCADE,
  invitation_id uuid REFERENCES invitations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  retry_id uuid, -- the mail that was sent in place of this one, which failed
  -- What the provider reported later.
  delayed_at timestamptz(3),
  delivered_at timestamptz(3),
  bounced_at timestamptz(3),
  bounce_reason text,
  complained_at timestamptz(3),
  FOREIGN KEY (newsletter_id, subscriber_id) REFERENCES subscribers (newsletter_id, id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT mails_kind_check CHECK (CASE kind
    WHEN 'confirmation' THEN newsletter_id IS NOT NULL AND subscriber_id IS NOT NULL AND staff_id IS NULL AND invitation_id IS NULL
    WHEN 'test' THEN newsletter_id IS NOT NULL AND subscriber_id IS NULL AND staff_id IS NOT NULL AND invitation_id IS NULL
    WHEN 'invitation' THEN newsletter_id IS NULL AND subscriber_id IS NULL AND staff_id IS NULL AND invitation_id IS NOT NULL
    ELSE false END),
  CONSTRAINT mails_deferred_check CHECK (state <> 'deferred' OR deferred_until IS NOT NULL),
  CONSTRAINT mails_sending_check CHECK (state NOT IN ('sending', 'sent', 'uncertain') OR
    (batch_id IS NOT NULL AND batch_position IS NOT NULL AND html IS NOT NULL AND text IS NOT NULL)),
  -- Tests and invitations are written when they are asked for.
  CONSTRAINT mails_written_check CHECK (kind = 'confirmation' OR
    (subject IS NOT NULL AND html IS NOT NULL AND text IS NOT NULL)),
  CONSTRAINT mails_bounce_check CHECK (bounced_at IS NULL OR bounce_reason IS NOT NULL)
);
CREATE INDEX mails_newsletter_id_subscriber_id_id_idx ON mails (newsletter_id, subscriber_id, id);
CREATE INDEX mails_batch_id_batch_position_idx ON mails (batch_id, batch_position);
CREATE INDEX mails_staff_id_idx ON mails (staff_id, id) WHERE staff_id IS NOT NULL;
CREATE INDEX mails_invitation_id_idx ON mails (invitation_id, id) WHERE invitation_id IS NOT NULL;
-- What delivery looks for; small, since mails leave these states soon. Two, so that mails deferred for hours are not read again
-- and again.
CREATE INDEX mails_waiting_idx ON mails (id) WHERE state = 'waiting';
CREATE INDEX mails_deferred_idx ON mails (deferred_until) WHERE state = 'deferred';
-- Reports name the mail by the provider's id.
CREATE INDEX mails_provider_id_idx ON mails (provider_id) WHERE provider_id IS NOT NULL;
-- The dashboard's lists. A failed mail that was replaced by another needs no attention any more; the delivered ones may be few
-- among many without a report.
CREATE INDEX mails_newsletter_id_idx ON mails (newsletter_id, id);
CREATE INDEX mails_attention_idx ON mails (newsletter_id, state, id)
  WHERE state NOT IN ('sent', 'cancelled', 'logged') AND retry_id IS NULL;
CREATE INDEX mails_bounced_idx ON mails (newsletter_id, id) WHERE bounced_at IS NOT NULL;
CREATE INDEX mails_delivered_idx ON mails (newsletter_id, id) WHERE delivered_at IS NOT NULL;

CREATE TABLE mail_batches (
  id uuid PRIMARY KEY,
  payload text,
  size integer NOT NULL CHECK (size BETWEEN 1 AND 100),
  attempts integer NOT NULL DEFAULT 0,
  unsure_since timestamptz(3),
  next_attempt_at timestamptz(3) NOT NULL,
  outcome text CHECK (outcome IN ('accepted', 'rejected', 'divided', 'cancelled', 'uncertain')),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  finished_at timestamptz(3),
  CONSTRAINT mail_batches_finished_check CHECK ((finished_at IS NULL) = (payload IS NOT NULL) AND
    (finished_at IS NULL) = (outcome IS NULL))
);
CREATE INDEX mail_batches_open_idx ON mail_batches (next_attempt_at) WHERE finished_at IS NULL;

CREATE TABLE mail_throttle (
  recipient_hash text PRIMARY KEY,
  allowed_at timestamptz(3)[]
);

-- The reports of the provider's webhooks, by their ids: each counts once. Kept 3 days, longer than they are repeated.
CREATE TABLE mail_reports (
  id text PRIMARY KEY,
  provider_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('delayed', 'delivered', 'bounced', 'rejected', 'complained', 'failed')),
  at timestamptz(3) NOT NULL,
  detail text,
  received_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  applied_at timestamptz(3)
);
CREATE INDEX mail_reports_open_idx ON mail_reports (provider_id) WHERE applied_at IS NULL;
CREATE INDEX mail_reports_received_at_idx ON mail_reports (received_at);


-- Imports

CREATE TABLE imports (
  id uuid PRIMARY KEY,
  newsletter_id uuid NOT NULL REFERENCES newsletters (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  staff_id uuid,
  state text NOT NULL CHECK (state IN ('planned', 'running', 'done', 'cancelled', 'outdated', 'failed', 'undone')),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  number integer, -- given when an import starts: plans that are never started leave no gaps
  file_name text,
  default_status text NOT NULL DEFAULT 'active',
  consent_source text,
  consent_wording text,
  digest text NOT NULL DEFAULT '',
  rows integer NOT NULL DEFAULT 0,
  rejected integer NOT NULL DEFAULT 0,
  written integer NOT NULL DEFAULT 0,
  counts jsonb NOT NULL DEFAULT '{}',
  error text,
  changed integer NOT NULL DEFAULT 0,
  changes jsonb NOT NULL DEFAULT '[]',
  undone jsonb,
  started_at timestamptz(3),
  heartbeat_at timestamptz(3),
  cancel_asked_at timestamptz(3),
  ended_at timestamptz(3),
  emptied_at timestamptz(3),
  CONSTRAINT imports_running_check CHECK (state <> 'running' OR
    (number IS NOT NULL AND started_at IS NOT NULL)),
  CONSTRAINT imports_ended_check CHECK ((state IN ('planned', 'running')) = (ended_at IS NULL))
);
CREATE INDEX imports_newsletter_id_created_at_idx ON imports (newsletter_id, created_at);
CREATE UNIQUE INDEX imports_newsletter_id_number_key ON imports (newsletter_id, number);
-- What housekeeping still has to empty.
CREATE INDEX imports_filled_idx ON imports (created_at) WHERE emptied_at IS NULL;

-- The checked list, each address once, in the order in which addresses are inserted everywhere. It goes to the subscribers inside
-- the database: 100,000 people that pass through the server's memory are 150 MB of garbage, and a pause for everybody else. No
-- foreign key: the rows come and go with their import, in its own transactions, and 100,000 checks would cost half a second.
CREATE TABLE import_rows (
  import_id uuid NOT NULL,
  email_canonical text COLLATE "C" NOT NULL,
  line integer NOT NULL,
  email text NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  status text NOT NULL,
  outcome text NOT NULL,
  recipient_hash text, -- what mails to the address are throttled by
  PRIMARY KEY (import_id, email_canonical)
);

CREATE TABLE import_rejected (
  import_id uuid NOT NULL,
  line integer NOT NULL,
  text text NOT NULL,
  reason text NOT NULL,
  PRIMARY KEY (import_id, line)
);

-- Who was on the list already and stays unchanged. By id alone: an address that is erased must not live on here.
CREATE TABLE import_unchanged (
  import_id uuid NOT NULL,
  subscriber_id uuid NOT NULL,
  outcome text NOT NULL,
  PRIMARY KEY (import_id, subscriber_id)
);


-- Bulk actions

-- One change to many people, in chunks that each commit with their own progress.
CREATE TABLE bulk_actions (
  id uuid PRIMARY KEY,
  newsletter_id uuid NOT NULL REFERENCES newsletters (id) ON DELETE CASCADE ON UPDATE CASCADE,
  staff_id uuid,
  address text,
  kind text NOT NULL CHECK (kind IN ('confirm', 'activate', 'unsubscribe', 'erase')),
  filter jsonb,
  ids uuid[],
  state text NOT NULL CHECK (state IN ('running', 'done', 'cancelled', 'failed', 'undoing', 'undone')),
  total integer NOT NULL,
  done integer NOT NULL DEFAULT 0,
  skipped jsonb NOT NULL DEFAULT '{}',
  after uuid,
  undone integer NOT NULL DEFAULT 0,
  undo_id uuid,
  tries integer NOT NULL DEFAULT 0,
  due_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  error text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ended_at timestamptz(3),
  seen_at timestamptz(3),
  CONSTRAINT bulk_actions_target_check CHECK ((filter IS NULL) <> (ids IS NULL)),
  CONSTRAINT bulk_actions_ended_check CHECK ((state = 'running') = (ended_at IS NULL))
);
CREATE INDEX bulk_actions_newsletter_id_id_idx ON bulk_actions (newsletter_id, id);
CREATE INDEX bulk_actions_open_idx ON bulk_actions (due_at) WHERE state IN ('running', 'undoing');

-- The people a bulk action changed, and how they were before: kept for a day, so that it can be undone.
CREATE TABLE bulk_action_changes (
  bulk_action_id uuid NOT NULL REFERENCES bulk_actions (id) ON DELETE CASCADE ON UPDATE CASCADE,
  subscriber_id uuid NOT NULL,
  was text NOT NULL,
  version integer NOT NULL,
  mail_id uuid,
  mail_deferred_until timestamptz(3),
  PRIMARY KEY (bulk_action_id, subscriber_id)
);
CREATE INDEX bulk_action_changes_subscriber_id_idx ON bulk_action_changes (subscriber_id);
