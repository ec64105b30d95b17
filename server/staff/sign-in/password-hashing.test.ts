import { describe, expect, test } from "vitest";
import { withPasswordCost } from "../../test/password-cost";
import { PASSWORD } from "../../test/staff-browser";
import { hashPassword, verifyPassword } from "./password-hashing";

describe("a new digest", () => {
  withPasswordCost();

  test("S11: has OWASP's cost and names it", async () => {
    const hash = await hashPassword(PASSWORD);
    expect(hash).toMatch(/^\$scrypt\$ln=17,r=8,p=1\$[^$]{22}\$[^$]{43}$/);
    expect(await verifyPassword({ hash, password: PASSWORD })).toBe(true);
  });
});

test("a digest has its own salt, and fits one password in any composition of its letters", async () => {
  const password = "\u00e9t\u00e9 \u00e0 la plage";
  const hash = await hashPassword(password);
  expect(await hashPassword(password)).not.toBe(hash);
  expect(await verifyPassword({ hash, password: "e\u0301te\u0301 a\u0300 la plage" })).toBe(true);
  expect(await verifyPassword({ hash, password: `${password} ` })).toBe(false);
});

test.each(["", "nonsense", "a:b", "$scrypt$ln=99,r=8,p=1$AAAA$AAAA"])(
  "the text %j fits no password",
  async (hash) => {
    expect(await verifyPassword({ hash, password: "" })).toBe(false);
  },
);
