/** The permissions of API keys. */
export const permissions = ["subscribers:read", "subscribers:write"] as const;
export type Permission = (typeof permissions)[number];
