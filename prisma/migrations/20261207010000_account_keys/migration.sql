-- A key works for one newsletter, or for all newsletters of an account.
ALTER TABLE api_keys
  ALTER COLUMN newsletter_id DROP NOT NULL,
  ADD COLUMN account_id uuid REFERENCES accounts (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  ADD CONSTRAINT api_keys_owner_check CHECK (num_nonnulls(newsletter_id, account_id) = 1);
CREATE INDEX api_keys_account_idx ON api_keys (account_id);
