import { expect, it } from "vitest";
import type { ColumnRole } from "@/server/imports/list-parser/list-types";
import { withRole } from "./column-roles";

it.each<[ColumnRole, before: ColumnRole[], after: ColumnRole[]]>([
  // One column for the address and for each name.
  ["email", ["email", "name", "ignored"], ["ignored", "name", "email"]],
  ["firstName", ["email", "firstName", "ignored"], ["email", "ignored", "firstName"]],
  // A full name becomes the other part of the name, or replaces the parts.
  ["firstName", ["name", "email", "ignored"], ["lastName", "email", "firstName"]],
  ["lastName", ["name", "email", "ignored"], ["firstName", "email", "lastName"]],
  ["name", ["firstName", "lastName", "ignored"], ["ignored", "ignored", "name"]],
  // Several columns can say that people opted out.
  ["unsubscribed", ["email", "unsubscribed", "ignored"], ["email", "unsubscribed", "unsubscribed"]],
])("sets the last column to %s", (role, before, after) => {
  expect(withRole(before, 2, role)).toEqual(after);
});
