-- The API key that started an import. No foreign key: the import stays when the key is deleted.
ALTER TABLE imports ADD COLUMN api_key_id uuid;
