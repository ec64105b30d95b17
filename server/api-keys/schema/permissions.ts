/** The permissions that a new key can have, in the order in which screens show them. */
export const permissions = [
  "subscribers:read",
  "subscribers:write",
  "subscribers:erase",
  "suppressions",
  "imports",
  "fields",
  "webhooks",
  // MCP masks email addresses for a key without it.
  "addresses",
] as const;
export type Permission = (typeof permissions)[number];

/** A new key has these unless its maker chooses others: no key erases people or adds webhooks unasked. */
export const defaultPermissions = ["subscribers:read", "subscribers:write"] as const;

/**
 * Keys from before `suppressions` keep the half of it that they had: a key that may only read lists suppressions, and a
 * key that may only write adds and deletes them.
 */
const halves = ["suppressions:read", "suppressions:write"] as const;

/** Every permission that a stored key may have. */
export const storedPermissions = [...permissions, ...halves] as const;
export type StoredPermission = (typeof storedPermissions)[number];

/** Whether a key with these permissions may run an operation that needs `permission`. */
export const isGranted = (
  granted: readonly string[],
  permission: Permission,
  kind: "read" | "write",
): boolean => granted.includes(permission) || granted.includes(`${permission}:${kind}`);
