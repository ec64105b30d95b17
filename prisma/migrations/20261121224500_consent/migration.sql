-- Who left stays away: whoever unsubscribed, denied, complained or bounced becomes active only by their own press on a link
-- that was mailed to that address. The triggers below refuse what breaks this, whatever a service does.


-- Suppressions

-- The secrets that addresses are digested with, made by this database for itself. They are stored here and not in a setting: a
-- changed AUTH_SECRET or a restored backup must never make an address writable again.
CREATE TABLE suppression_keys (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  inner_key bytea NOT NULL,
  outer_key bytea NOT NULL
);
INSERT INTO suppression_keys (inner_key, outer_key)
SELECT decode(replace(gen_random_uuid()::text || gen_random_uuid(), '-', ''), 'hex'),
  decode(replace(gen_random_uuid()::text || gen_random_uuid(), '-', ''), 'hex');

-- What a canonical address is known by in the suppressions of a newsletter: 32 bytes, nested and keyed like an HMAC.
CREATE FUNCTION address_digest(newsletter uuid, canonical text) RETURNS bytea LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT sha256(outer_key || sha256(inner_key || uuid_send(newsletter) || convert_to(canonical, 'UTF8'))) FROM suppression_keys
$$;

-- Of two reasons for one address the stronger stays: what a person did outweighs what a mail server or somebody else said.
CREATE FUNCTION suppression_rank(reason text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_position(ARRAY['manual', 'bounced', 'unsubscribed', 'complained', 'denied'], reason)
$$;

ALTER TABLE suppressions RENAME TO old_suppressions;
ALTER TABLE old_suppressions RENAME CONSTRAINT suppressions_pkey TO old_suppressions_pkey;
CREATE TABLE suppressions (
  newsletter_id uuid NOT NULL REFERENCES newsletters (id) ON DELETE CASCADE ON UPDATE CASCADE,
  digest bytea NOT NULL,
  id uuid NOT NULL,
  -- As it was given; null once the address is erased or changed: then the digest alone knows it.
  email text,
  reason text NOT NULL CHECK (suppression_rank(reason) IS NOT NULL),
  -- person: by their own act, which nobody can take back for them. mail: reported by a mail server.
  source text NOT NULL CHECK (source IN ('person', 'mail', 'api', 'dashboard', 'import', 'operator')),
  source_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- When the address was asked by mail whether it wants to come back: once.
  asked_at timestamptz(3),
  PRIMARY KEY (newsletter_id, digest),
  CONSTRAINT suppressions_digest_check CHECK (octet_length(digest) = 32)
);
CREATE UNIQUE INDEX suppressions_newsletter_id_id_key ON suppressions (newsletter_id, id);
INSERT INTO suppressions (newsletter_id, digest, id, email, reason, source, created_at)
SELECT o.newsletter_id, address_digest(o.newsletter_id, o.email_canonical), new_id(o.created_at, row_number() OVER (ORDER BY o.created_at)),
  s.email, o.reason, CASE o.reason WHEN 'bounced' THEN 'mail' ELSE 'person' END, o.created_at
FROM old_suppressions o LEFT JOIN subscribers s ON s.newsletter_id = o.newsletter_id AND s.email_canonical = o.email_canonical;
DROP TABLE old_suppressions;


-- What the database refuses

-- A date of leaving means: this person left, and has not come back by a press of their own. pending with one: they are asked.
ALTER TABLE subscribers ADD CONSTRAINT subscribers_left_check CHECK (
  CASE status WHEN 'active' THEN unsubscribed_at IS NULL WHEN 'unsubscribed' THEN unsubscribed_at IS NOT NULL ELSE true END
);
-- Whether a person had left before a bulk action, so that its undo restores that too.
ALTER TABLE bulk_action_changes ADD COLUMN had_left boolean NOT NULL DEFAULT false;
-- forget: erases, and leaves no digest of those who never left.
ALTER TABLE bulk_actions DROP CONSTRAINT bulk_actions_kind_check,
  ADD CONSTRAINT bulk_actions_kind_check CHECK (kind IN ('confirm', 'activate', 'unsubscribe', 'erase', 'forget'));

-- One for each newsletter. Whoever adds people or changes addresses holds it shared, whoever suppresses addresses holds it alone:
-- so one of two that meet over an address always sees what the other did.
CREATE FUNCTION suppression_lock(newsletter uuid) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT hashtextextended(newsletter::text, 1)
$$;

-- Whether the mail whose link was pressed in this transaction (the setting names it) went to this address after `since`.
-- A mail without a batch was written to the log only.
CREATE FUNCTION pressed_since(newsletter uuid, address bytea, since timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM mails m JOIN subscribers s ON s.newsletter_id = m.newsletter_id AND s.id = m.subscriber_id AND s.email = m.to_email
    WHERE m.id = nullif(current_setting('rollcall.pressed_mail', true), '')::uuid AND m.newsletter_id = newsletter
      AND m.kind = 'confirmation' AND m.batch_id IS NOT NULL AND m.created_at > since
      AND address_digest(newsletter, s.email_canonical) = address
  )
$$;

CREATE FUNCTION refuse_suppressed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- An import would hold the lock for minutes; it takes it at its end and looks once more.
  IF coalesce(current_setting('rollcall.counting', true), '') <> 'apart' THEN
    PERFORM pg_advisory_xact_lock_shared(suppression_lock(newsletter_id))
    FROM (SELECT DISTINCT newsletter_id FROM added ORDER BY 1) AS n;
  END IF;
  IF EXISTS (SELECT FROM suppressions WHERE newsletter_id IN (SELECT newsletter_id FROM added)) AND EXISTS (
    SELECT FROM added a JOIN suppressions x
      ON x.newsletter_id = a.newsletter_id AND x.digest = address_digest(a.newsletter_id, a.email_canonical)
    WHERE a.status = 'active' OR a.unsubscribed_at IS NULL OR x.reason NOT IN ('manual', 'unsubscribed')
  ) THEN
    RAISE EXCEPTION 'an address is suppressed' USING ERRCODE = 'RC002';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER subscribers_refuse_suppressed AFTER INSERT ON subscribers
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_suppressed();

-- Notes that people left: their addresses stay suppressed when the rows are erased or have another address.
CREATE FUNCTION suppress_left(newsletter uuid, canonical text, since timestamptz) RETURNS void LANGUAGE sql AS $$
  INSERT INTO suppressions AS x (newsletter_id, digest, id, reason, source, created_at)
  VALUES (newsletter, address_digest(newsletter, canonical), new_id(now(), 0), 'unsubscribed', 'person', since)
  ON CONFLICT (newsletter_id, digest) DO UPDATE SET source = 'person', email = NULL,
    reason = CASE WHEN suppression_rank(x.reason) < suppression_rank('unsubscribed') THEN 'unsubscribed' ELSE x.reason END
$$;

CREATE FUNCTION keep_consent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.email_canonical <> NEW.email_canonical THEN
    PERFORM pg_advisory_xact_lock_shared(suppression_lock(NEW.newsletter_id));
    IF OLD.unsubscribed_at IS NOT NULL THEN
      PERFORM suppress_left(OLD.newsletter_id, OLD.email_canonical, OLD.unsubscribed_at);
    END IF;
  END IF;
  IF OLD.unsubscribed_at IS NOT NULL AND NEW.unsubscribed_at IS NULL
    AND NOT (OLD.email = NEW.email
      AND pressed_since(OLD.newsletter_id, address_digest(OLD.newsletter_id, OLD.email_canonical), OLD.unsubscribed_at))
    -- The undo of a bulk action, of people who have not changed since it unsubscribed them.
    AND NOT EXISTS (
      SELECT FROM bulk_action_changes c JOIN bulk_actions a ON a.id = c.bulk_action_id
      WHERE c.subscriber_id = OLD.id AND a.newsletter_id = OLD.newsletter_id AND a.kind = 'unsubscribe' AND a.state = 'undoing'
        AND c.version = OLD.version AND c.was = NEW.status AND NOT c.had_left
    )
  THEN
    RAISE EXCEPTION 'who left comes back by their own press on a mailed link alone' USING ERRCODE = 'RC002';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER subscribers_keep_consent BEFORE UPDATE ON subscribers FOR EACH ROW
  WHEN (OLD.unsubscribed_at IS NOT NULL AND NEW.unsubscribed_at IS NULL OR OLD.email_canonical <> NEW.email_canonical)
  EXECUTE FUNCTION keep_consent();

-- After the row, not before it: an update may wait at the unique index for whoever is leaving that very address.
CREATE FUNCTION refuse_suppressed_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM suppressions
    WHERE newsletter_id = NEW.newsletter_id AND digest = address_digest(NEW.newsletter_id, NEW.email_canonical)
  ) THEN
    RAISE EXCEPTION 'the address is suppressed' USING ERRCODE = 'RC002';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER subscribers_refuse_suppressed_row AFTER UPDATE ON subscribers FOR EACH ROW
  WHEN (NEW.status = 'active' AND (OLD.status <> 'active' OR OLD.email_canonical <> NEW.email_canonical))
  EXECUTE FUNCTION refuse_suppressed_row();

-- Erasing removes a person and leaves the digest of an address that left; what was known of others stays without the address.
CREATE FUNCTION keep_suppressed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM suppress_left(newsletter_id, email_canonical, unsubscribed_at)
  FROM (SELECT * FROM removed WHERE unsubscribed_at IS NOT NULL ORDER BY email_canonical) AS gone;
  IF EXISTS (SELECT FROM suppressions WHERE newsletter_id IN (SELECT newsletter_id FROM removed)) THEN
    UPDATE suppressions x SET email = NULL FROM removed r
    WHERE x.newsletter_id = r.newsletter_id AND x.digest = address_digest(r.newsletter_id, r.email_canonical) AND x.email IS NOT NULL;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER subscribers_keep_suppressed AFTER DELETE ON subscribers
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION keep_suppressed();

-- What a person did themselves is lifted by their own press alone, and never weakened.
CREATE FUNCTION keep_suppression() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' OR OLD.reason = 'denied'
    OR NOT pressed_since(OLD.newsletter_id, OLD.digest, CASE OLD.reason WHEN 'unsubscribed' THEN OLD.created_at ELSE '-infinity' END)
  THEN
    IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT FROM newsletters WHERE id = OLD.newsletter_id) THEN RETURN OLD; END IF;
    RAISE EXCEPTION 'what a person did stays until their own press' USING ERRCODE = 'RC002';
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER suppressions_keep_lifted BEFORE DELETE ON suppressions FOR EACH ROW
  WHEN (OLD.source = 'person') EXECUTE FUNCTION keep_suppression();
CREATE TRIGGER suppressions_keep_weakened BEFORE UPDATE ON suppressions FOR EACH ROW
  WHEN (NEW.newsletter_id <> OLD.newsletter_id OR NEW.digest <> OLD.digest
    OR OLD.source = 'person' AND (NEW.source <> 'person' OR suppression_rank(NEW.reason) < suppression_rank(OLD.reason)))
  EXECUTE FUNCTION keep_suppression();
