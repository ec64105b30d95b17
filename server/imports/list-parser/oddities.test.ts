import { describe, expect, it } from "vitest";
import type { PastedPerson } from "./list-types";
import { findOddities } from "./oddities";

const person = (email: string, name = "") => ({ email, name }) as PastedPerson;
const odd = (...people: [email: string, name?: string][]) =>
  findOddities(people.map(([email, name]) => person(email, name)));

describe("findOddities", () => {
  it.each([
    ["ada@lovelace.org", "name_is_address"],
    ["www.lovelace.org", "name_is_address"],
    ["lovelace.com", "name_is_address"],
    ["Unsubscribed", "name_is_status"],
    ["abgemeldet", "name_is_status"],
    ["Active", "name_is_status"],
    ["Home", "name_is_label"],
    ["Optional", "name_is_label"],
    ["Awaiting", "name_is_label"],
    ["HYPERLINK", "name_is_label"],
    ["First name", "name_is_label"],
    ["Vorname:", "name_is_label"],
    ["+44 20 7946 0000", "name_has_digits"],
    ["ADA LOVELACE", "name_in_capitals"],
    ["ЯНА", "name_in_capitals"],
  ])("reports the name %s as %s", (name, code) => {
    expect(odd(["x1@navy.mil", name])).toEqual([code]);
  });

  it.each([
    "Ada Lovelace",
    "JP",
    "李",
    "محمد",
    "Mel",
    "Adi",
    "O'Neill",
    "Null",
    "MacDonald",
    "d'Arc",
    "A. B.",
  ])("accepts the name %s", (name) => {
    expect(odd(["x1@navy.mil", name])).toEqual([null]);
  });

  it.each([
    "abuse@navy.mil",
    "NoReply@navy.mil",
    "do-not-reply@navy.mil",
    "postmaster@x.org",
    "webmaster@x.org",
  ])("reports %s as a role address", (email) => {
    expect(odd([email])).toEqual(["role_address"]);
  });

  it.each(["newsreader@x.org", "info@x.org", "rooted@x.org", "ada+news@x.org"])(
    "accepts the address %s",
    (email) => {
      expect(odd([email])).toEqual([null]);
    },
  );

  it("reports the name of another person on the list", () => {
    expect(
      odd(
        ["alan.turing@navy.mil", "Grace Hopper"],
        ["grace.hopper@navy.mil", "Grace Hopper"],
        ["gh@navy.mil", "Grace Hopper"],
        ["ada@navy.mil", "Ada Lovelace"],
      ),
    ).toEqual(["name_of_another", null, null, null]);
  });

  it("reports the only person of a domain if nearly all share another", () => {
    const crew = Array.from({ length: 20 }, (_, index) => [`p${index}@navy.mil`] as [string]);
    expect(odd(...crew, ["spy@other.org"]).at(-1)).toBe("stranger_domain");
    expect(odd(...crew, ["a@other.org"], ["b@other.org"]).slice(-2)).toEqual([null, null]);
    expect(odd(...crew.slice(10), ["spy@other.org"]).at(-1)).toBeNull();
    const mixed = crew.map(([email], index) => [`${index}${email}${index % 2}`] as [string]);
    expect(odd(...mixed, ["spy@other.org"]).at(-1)).toBeNull();
  });
});
