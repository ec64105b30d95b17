import { expect, it } from "vitest";
import { oddityOf } from "./oddities";

const odd = (email: string, name = "") => oddityOf({ email, name });

it.each([
  ["ada@lovelace.org", "name_is_address"],
  ["www.lovelace.org", "name_is_address"],
  ["abgemeldet", "name_is_status"],
  ["Optional", "name_is_label"],
  ["HYPERLINK", "name_is_label"],
  ["First name", "name_is_label"],
  ["Vorname:", "name_is_label"],
  ["+44 20 7946 0000", "name_has_digits"],
  ["ADA LOVELACE", "name_in_capitals"],
  ["ЯНА", "name_in_capitals"],
])("reports the name %s as %s", (name, code) => {
  expect(odd("x1@navy.mil", name)).toBe(code);
});

it.each(["Ada Lovelace", "JP", "李", "محمد", "Mel", "O'Neill", "Null", "MacDonald", "A. B."])(
  "accepts the name %s",
  (name) => {
    expect(odd("x1@navy.mil", name)).toBeNull();
  },
);

it.each(["NoReply@navy.mil", "do-not-reply@navy.mil", "postmaster@x.org"])(
  "reports %s as a role address",
  (email) => {
    expect(odd(email, "ADA LOVELACE")).toBe("role_address");
  },
);

it.each(["newsreader@x.org", "info@x.org", "ada+news@x.org"])("accepts the address %s", (email) => {
  expect(odd(email)).toBeNull();
});
