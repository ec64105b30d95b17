import { hashPassword as libraryHash } from "better-auth/crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AppContext } from "../../app";
import { type HttpApp, openHttpApp } from "../../test/http-app";
import { withPasswordCost } from "../../test/password-cost";
import { addStaff, openBrowser, PASSWORD } from "../../test/staff-browser";
import { hashPassword, hasOldCost, verifyPassword } from "./password-hashing";

let opened: HttpApp;
let app: AppContext;

beforeAll(async () => {
  opened = await openHttpApp();
  ({ app } = opened);
});
afterAll(() => opened.close());

describe("a new digest", () => {
  withPasswordCost();

  test("S11: has OWASP's cost and names it", async () => {
    const hash = await hashPassword(PASSWORD);
    expect(hash).toMatch(/^\$scrypt\$ln=17,r=8,p=1\$[^$]{22}\$[^$]{43}$/);
    expect(hasOldCost(hash)).toBe(false);
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

describe("the library's digest", () => {
  async function withOldDigest() {
    const staff = await addStaff(app);
    const password = await libraryHash(PASSWORD);
    await app.db.staffCredential.updateMany({ where: { staffId: staff.id }, data: { password } });
    const stored = async () =>
      (await app.db.staffCredential.findFirstOrThrow({ where: { staffId: staff.id } })).password as string;
    return { ...staff, stored };
  }

  test("is replaced at the next sign-in, and a wrong password changes nothing", async () => {
    const { email, stored } = await withOldDigest();
    const old = await stored();
    expect(hasOldCost(old)).toBe(true);
    expect((await openBrowser(app).signIn(email, "not the password")).status).toBe(401);
    expect(await stored()).toBe(old);
    expect((await openBrowser(app).signIn(email)).status).toBe(200);
    expect(await stored()).toMatch(/^\$scrypt\$/);
    expect(hasOldCost(await stored())).toBe(false);
    expect((await openBrowser(app).signIn(email)).status).toBe(200);
  });
});
