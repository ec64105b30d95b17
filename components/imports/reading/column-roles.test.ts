import { describe, expect, it } from "vitest";
import { withNamesSwapped, withRole } from "./column-roles";

describe("naming a column", () => {
  it("leaves no two columns for the address or for a name", () => {
    expect(withRole(["email", "name", "ignored"], 2, "email")).toEqual(["ignored", "name", "email"]);
    expect(withRole(["email", "firstName", "ignored"], 2, "firstName")).toEqual([
      "email",
      "ignored",
      "firstName",
    ]);
  });

  it("makes a name beside a first name the last one, and a whole name stand alone", () => {
    expect(withRole(["name", "email", "ignored"], 2, "firstName")).toEqual([
      "lastName",
      "email",
      "firstName",
    ]);
    expect(withRole(["name", "email", "ignored"], 2, "lastName")).toEqual(["firstName", "email", "lastName"]);
    expect(withRole(["firstName", "lastName", "email", "ignored"], 3, "name")).toEqual([
      "ignored",
      "ignored",
      "email",
      "name",
    ]);
  });

  it("lets several columns tell who is leaving", () => {
    expect(withRole(["email", "unsubscribed", "ignored"], 2, "unsubscribed")).toEqual([
      "email",
      "unsubscribed",
      "unsubscribed",
    ]);
  });

  it("swaps first and last name", () => {
    expect(withNamesSwapped(["lastName", "email", "firstName"])).toEqual(["firstName", "email", "lastName"]);
  });
});
