import { isNamePart, isOncePerPerson } from "@/server/imports/list-parser/column-titles";
import type { ColumnRole } from "@/server/imports/list-parser/list-types";

/**
 * The column roles after the user sets one. A column with the same role becomes ignored. A full name beside a first
 * name becomes the last name, and beside a last name the first name.
 */
export function withRole(roles: readonly ColumnRole[], column: number, role: ColumnRole): ColumnRole[] {
  return roles.map((other, index) => {
    if (index === column) return role;
    if (other === role && isOncePerPerson(role)) return "ignored";
    if (role === "name") return isNamePart(other) ? "ignored" : other;
    if (other !== "name") return other;
    return role === "firstName" ? "lastName" : role === "lastName" ? "firstName" : other;
  });
}
