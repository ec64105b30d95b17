-- The permission addresses: MCP shows email addresses to a key that has it, and masks them for all others.
ALTER TABLE api_keys DROP CONSTRAINT api_keys_permissions_check;
ALTER TABLE api_keys ADD CONSTRAINT api_keys_permissions_check CHECK (permissions <@ ARRAY[
  'subscribers:read', 'subscribers:write', 'subscribers:erase', 'suppressions', 'suppressions:read', 'suppressions:write',
  'imports', 'fields', 'webhooks', 'addresses']);
