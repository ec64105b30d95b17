-- Other spellings of a mailbox: the reader of ada@gmail.com also reads ada+news@gmail.com and a.da@googlemail.com.

-- The mailbox of a canonical address; the same as `throttleKey` in server/domain/email.ts.
CREATE FUNCTION mailbox_of(canonical text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN canonical !~ '[+]|@g(oogle)?mail[.]com$' THEN canonical
    WHEN canonical ~ '@g(oogle)?mail[.]com$'
      THEN replace(regexp_replace(split_part(canonical, '@', 1), '^([^+]+)[+].*', '\1'), '.', '') || '@gmail.com'
    ELSE regexp_replace(canonical, '^([^+]+)[+].*@', '\1@')
  END
$$;

-- Holds only people who opted out, so that it costs creates nothing.
CREATE INDEX subscribers_opted_out_mailbox_idx ON subscribers (newsletter_id, mailbox_of(email_canonical))
  WHERE unsubscribed_at IS NOT NULL;

-- `address_digest` with keys that were read before: PostgreSQL can inline this one.
CREATE FUNCTION keyed_digest(keys suppression_keys, newsletter uuid, address text) RETURNS bytea LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT sha256((keys).outer_key || sha256((keys).inner_key || uuid_send(newsletter) || convert_to(address, 'UTF8')))
$$;

-- An erased address is known by its digest alone: it counts as its own mailbox, as does an international address.
ALTER TABLE suppressions ADD COLUMN mailbox_digest bytea;
UPDATE suppressions SET mailbox_digest = CASE WHEN email ~ '^[!-~]+$'
  THEN address_digest(newsletter_id, mailbox_of(lower(email))) ELSE digest END;
ALTER TABLE suppressions ALTER COLUMN mailbox_digest SET NOT NULL;
CREATE INDEX suppressions_mailbox_idx ON suppressions (newsletter_id, mailbox_digest);

CREATE OR REPLACE FUNCTION suppress_left(newsletter uuid, canonical text, since timestamptz) RETURNS void LANGUAGE sql AS $$
  INSERT INTO suppressions AS x (newsletter_id, digest, mailbox_digest, id, reason, source, created_at)
  VALUES (newsletter, address_digest(newsletter, canonical), address_digest(newsletter, mailbox_of(canonical)), new_id(now(), 0),
    'unsubscribed', 'person', since)
  ON CONFLICT (newsletter_id, digest) DO UPDATE SET source = 'person', email = NULL,
    reason = CASE WHEN suppression_rank(x.reason) < suppression_rank('unsubscribed') THEN 'unsubscribed' ELSE x.reason END
$$;
