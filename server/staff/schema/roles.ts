export const roles = ["owner", "editor", "viewer"] as const;
export type Role = (typeof roles)[number];

/** read: look at everything. edit: change people, imports and mails. manage: keys, settings and staff. */
export type Right = "read" | "edit" | "manage";

const rights: Record<Role, readonly Right[]> = {
  owner: ["read", "edit", "manage"],
  editor: ["read", "edit"],
  viewer: ["read"],
};

/** Whether a staff member with this role has this right on their account. */
export function hasRight(role: Role, right: Right): boolean {
  return rights[role].includes(right);
}

/** The roles that have a right, highest first. */
export function rolesWith(right: Right): Role[] {
  return roles.filter((role) => hasRight(role, right));
}
