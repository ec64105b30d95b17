-- The key that a rotation made in place of this key; null: not rotated.
ALTER TABLE api_keys ADD COLUMN replaced_by uuid;
