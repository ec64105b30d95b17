export const roles = ["owner", "editor", "viewer"] as const;
export type Role = (typeof roles)[number];

/** read: view everything. edit: change people, imports and emails. manage: API keys, settings and staff. */
export type Right = "read" | "edit" | "manage";

const rights: Record<Role, readonly Right[]> = {
  owner: ["read", "edit", "manage"],
  editor: ["read", "edit"],
  viewer: ["read"],
};

export function hasRight(role: Role, right: Right): boolean {
  return rights[role].includes(right);
}

/** The roles that have a right, highest first. */
export function rolesWith(right: Right): Role[] {
  return roles.filter((role) => hasRight(role, right));
}
