-- What a person is known by in mail_throttle, where no address stands beside it: the plain hash of their address could be
-- found by hashing guessed ones. Keyed like the suppressions, by what this database alone holds, so that the limits outlive a
-- changed AUTH_SECRET. Who reads the whole database reads the keys, too.
CREATE FUNCTION throttle_digest(hash text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT encode(sha256(outer_key || sha256(inner_key || convert_to('mail throttle ' || hash, 'UTF8'))), 'hex') FROM suppression_keys
$$;
UPDATE mail_throttle SET recipient_hash = throttle_digest(recipient_hash);
