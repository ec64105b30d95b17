import { isOncePerPerson } from "@/server/imports/list-parser/column-titles";
import type { ColumnRole } from "@/server/imports/list-parser/list-types";

/**
 * What the columns mean after a person has named one. A column that had the same meaning is ignored; a whole name beside a
 * first name is the last name, and beside a last name the first.
 */
export function withRole(roles: readonly ColumnRole[], column: number, role: ColumnRole): ColumnRole[] {
  return roles.map((other, index) => {
    if (index === column) return role;
    if (other === role && isOncePerPerson(role)) return "ignored";
    if (role === "name") return parts.includes(other) ? "ignored" : other;
    if (other !== "name") return other;
    return role === "firstName" ? "lastName" : role === "lastName" ? "firstName" : other;
  });
}

const parts: readonly ColumnRole[] = ["firstName", "middleName", "lastName"];

/** First and last name the other way round. */
export function withNamesSwapped(roles: readonly ColumnRole[]): ColumnRole[] {
  const other: Partial<Record<ColumnRole, ColumnRole>> = { firstName: "lastName", lastName: "firstName" };
  return roles.map((role) => other[role] ?? role);
}
