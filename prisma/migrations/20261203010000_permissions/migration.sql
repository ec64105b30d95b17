-- Permissions for erasing, suppressions, fields and webhooks. The list has `imports` too, so that its operations need no
-- other constraint.
ALTER TABLE api_keys DROP CONSTRAINT api_keys_permissions_check;
ALTER TABLE api_keys ADD CONSTRAINT api_keys_permissions_check CHECK (permissions <@ ARRAY[
  'subscribers:read', 'subscribers:write', 'subscribers:erase', 'suppressions', 'suppressions:read', 'suppressions:write',
  'imports', 'fields', 'webhooks']);

-- Existing keys keep what they could do, and gain nothing: a key that could only read suppressions can't add any, and one
-- that could only add them can't list them.
UPDATE api_keys SET permissions = permissions
  || CASE WHEN 'subscribers:write' = ANY (permissions) THEN ARRAY['subscribers:erase', 'fields'] ELSE '{}' END
  || CASE
    WHEN permissions @> ARRAY['subscribers:read', 'subscribers:write'] THEN ARRAY['suppressions']
    WHEN 'subscribers:read' = ANY (permissions) THEN ARRAY['suppressions:read']
    WHEN 'subscribers:write' = ANY (permissions) THEN ARRAY['suppressions:write']
    ELSE '{}' END;
