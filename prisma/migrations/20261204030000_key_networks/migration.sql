-- The addresses and networks that may use an API key, such as 203.0.113.7 or 10.0.0.0/8; empty: any.
ALTER TABLE api_keys ADD COLUMN networks text[] NOT NULL DEFAULT '{}';
