-- Second factors, and mails to a staff member about their own sign-in.
ALTER TABLE accounts ADD COLUMN require_second_factor boolean NOT NULL DEFAULT false;
ALTER TABLE staff_members ADD COLUMN two_factor_enabled boolean NOT NULL DEFAULT false;

CREATE TABLE staff_two_factors (
  id uuid PRIMARY KEY,
  staff_id uuid NOT NULL UNIQUE REFERENCES staff_members (id) ON DELETE CASCADE ON UPDATE CASCADE,
  secret text NOT NULL,
  backup_codes text NOT NULL,
  verified boolean NOT NULL DEFAULT true,
  failed_verification_count integer NOT NULL DEFAULT 0,
  locked_until timestamptz(3)
);

CREATE TABLE staff_passkeys (
  id uuid PRIMARY KEY,
  staff_id uuid NOT NULL REFERENCES staff_members (id) ON DELETE CASCADE ON UPDATE CASCADE,
  name text,
  public_key text NOT NULL,
  credential_id text NOT NULL UNIQUE,
  counter integer NOT NULL,
  device_type text NOT NULL,
  backed_up boolean NOT NULL,
  transports text,
  aaguid text,
  created_at timestamptz(3) DEFAULT now()
);
CREATE INDEX staff_passkeys_staff_id_idx ON staff_passkeys (staff_id);

ALTER TABLE mails DROP CONSTRAINT mails_kind_check, ADD CONSTRAINT mails_kind_check CHECK (CASE kind
  WHEN 'confirmation' THEN newsletter_id IS NOT NULL AND subscriber_id IS NOT NULL AND staff_id IS NULL AND invitation_id IS NULL
  WHEN 'test' THEN newsletter_id IS NOT NULL AND subscriber_id IS NULL AND staff_id IS NOT NULL AND invitation_id IS NULL
  WHEN 'invitation' THEN newsletter_id IS NULL AND subscriber_id IS NULL AND staff_id IS NULL AND invitation_id IS NOT NULL
  WHEN 'notice' THEN newsletter_id IS NULL AND subscriber_id IS NULL AND staff_id IS NOT NULL AND invitation_id IS NULL
  ELSE false END);

-- Sessions are kept as digests: whoever reads the database signs in with none of them. Those that live stay valid.
UPDATE staff_sessions SET token = encode(sha256(convert_to(token, 'UTF8')), 'hex');
