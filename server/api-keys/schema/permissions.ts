/** What an API key may be allowed to do. */
export const permissions = ["subscribers:read", "subscribers:write"] as const;
export type Permission = (typeof permissions)[number];
