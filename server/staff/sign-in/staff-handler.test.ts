import { beforeAll, expect, it } from "vitest";
import { app, OWNER, openHttpAppForTests } from "../../test/http-app";
import { handleStaffAuth } from "./staff-handler";
import { findSignedIn } from "./staff-session";

const APP = "https://list.example.org";
const PASSWORD = OWNER.password;

openHttpAppForTests({ APP_URL: APP, LOCKOUT_AUTH: "3/10m for 10m" });
let staffId: string;

beforeAll(async () => {
  staffId = (await app.db.staffMember.findFirstOrThrow()).id;
});

let caller = 0;
type Options = { cookie?: string; origin?: string | null; address?: string };

async function post(
  path: string,
  body: object,
  { cookie, origin = APP, address = `192.0.2.${++caller}` }: Options = {},
) {
  const headers = new Headers({ "Content-Type": "application/json", Host: "list.example.org" });
  if (origin) headers.set("Origin", origin);
  if (cookie) headers.set("Cookie", cookie);
  const request = new Request(`${APP}/api/auth/${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  return handleStaffAuth(app, request, address);
}

const signIn = (email: string, password: string, options?: Options) =>
  post("sign-in/email", { email, password }, options);
const cookieOf = (response: Response) => (response.headers.get("set-cookie") ?? "").split(";")[0] as string;

it("signs in with a cookie that scripts and plain HTTP can't read, and identifies the staff member", async () => {
  const response = await signIn("Ada@Lovelace.org", PASSWORD);
  expect(response.status).toBe(200);
  const [set] = response.headers.getSetCookie();
  // The cookie outlives the idle time, so that the database alone decides.
  expect(set).toMatch(
    /^__Host-rollcall\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  const found = await findSignedIn(app, new Headers({ cookie: cookieOf(response) }));
  expect(found).toMatchObject({ id: staffId, role: "owner", email: "ada@lovelace.org" });
  const entry = await app.db.auditEntry.findFirst({ where: { action: "staff.signed_in" } });
  expect(entry).toMatchObject({ actorId: staffId, address: `192.0.2.${caller}` });
});

it("gives the same answer to an unknown address, a wrong password and an invalid address", async () => {
  const answers = await Promise.all([
    signIn("ada@lovelace.org", "not the password"),
    signIn("nobody@lovelace.org", "not the password"),
    signIn("nonsense", "not the password"),
  ]);
  const texts = await Promise.all(answers.map(async (one) => `${one.status} ${await one.text()}`));
  expect(new Set(texts).size).toBe(1);
  expect(texts[0]).toMatch(/^401 /);
});

const entriesOf = (where: object) =>
  app.db.auditEntry.findMany({
    where,
    orderBy: { id: "asc" },
    select: { accountId: true, actorKind: true, action: true, subjectId: true, detail: true },
  });

it("records a burst of failed sign-ins once for each lockout with a masked address, and notifies the account", async () => {
  const { accountId } = await app.db.staffMember.findUniqueOrThrow({ where: { id: staffId } });
  const address = "198.51.100.77";
  for (let i = 0; i < 9; i++) await signIn("Ada@Lovelace.org", "not the password", { address });
  expect(await entriesOf({ action: "staff.sign_in_locked", address })).toEqual([
    {
      accountId,
      actorKind: "visitor",
      action: "staff.sign_in_locked",
      subjectId: staffId,
      detail: { failures: 3, email: "A***@Lovelace.org" },
    },
  ]);
  // Failures on an unknown address are recorded in the installation's only account.
  const stranger = "198.51.100.78";
  await Promise.all(
    Array.from({ length: 9 }, () => signIn("root@nowhere.org", "guess", { address: stranger })),
  );
  expect(await entriesOf({ action: "staff.sign_in_locked", address: stranger })).toMatchObject([
    { accountId, subjectId: null, detail: { failures: 3, email: "r***@nowhere.org" } },
  ]);
});

it("rejects requests from other sites, without a sign-in", async () => {
  const before = await app.db.staffSession.count();
  expect((await signIn("ada@lovelace.org", PASSWORD, { origin: "https://evil.example" })).status).toBe(403);
  expect((await signIn("ada@lovelace.org", PASSWORD, { origin: null })).status).toBe(403);
  expect(await app.db.staffSession.count()).toBe(before);
});

it("opens no other route of the library", async () => {
  const body = { email: "eve@x.org", password: "long enough", name: "Eve" };
  for (const path of ["sign-up/email", "update-user", "delete-user", "change-email", "get-session"])
    expect((await post(path, body)).status).toBe(404);
  expect(await app.db.staffMember.count()).toBe(1);
});

it("changes the password with the old one, and ends the other sessions", async () => {
  const [here, there] = [
    cookieOf(await signIn("ada@lovelace.org", PASSWORD)),
    cookieOf(await signIn("ada@lovelace.org", PASSWORD)),
  ];
  const change = (currentPassword: string, newPassword: string, cookie = "") =>
    post("change-password", { currentPassword, newPassword, revokeOtherSessions: true }, { cookie });
  expect((await change("wrong one", "another long password", here)).status).toBe(422);
  expect((await change(PASSWORD, "short", here)).status).toBe(400);
  const guessable = await change(PASSWORD, "AdaLovelace1", here);
  expect([guessable.status, await guessable.text()]).toEqual([422, expect.stringContaining("too similar")]);
  expect((await change(PASSWORD, "another long password")).status).toBe(401);
  expect(await entriesOf({ action: "staff.password_changed" })).toEqual([]);
  const signIns = await app.db.auditEntry.count({ where: { action: "staff.signed_in" } });
  const done = await change(PASSWORD, "another long password", here);
  expect(done.status).toBe(200);
  expect(await entriesOf({ action: "staff.password_changed" })).toMatchObject([
    { actorKind: "staff", subjectId: staffId },
  ]);
  expect(await app.db.auditEntry.count({ where: { action: "staff.signed_in" } })).toBe(signIns);
  const told = { staffId, kind: "notice", subject: "Your Rollcall password was changed" };
  expect(await app.db.mail.findMany({ where: told })).toMatchObject([{ toEmail: "ada@lovelace.org" }]);
  expect(await findSignedIn(app, new Headers({ cookie: there }))).toBe(null);
  expect((await signIn("ada@lovelace.org", PASSWORD)).status).toBe(401);
  expect((await signIn("ada@lovelace.org", "another long password")).status).toBe(200);
});

it("signs out: the cookie no longer works", async () => {
  const cookie = cookieOf(await signIn("ada@lovelace.org", "another long password"));
  expect(await findSignedIn(app, new Headers({ cookie }))).not.toBe(null);
  expect((await post("sign-out", {}, { cookie })).status).toBe(200);
  expect(await findSignedIn(app, new Headers({ cookie }))).toBe(null);
  expect((await post("sign-out", {}, { cookie })).status).toBe(200);
  expect(await entriesOf({ action: "staff.signed_out" })).toMatchObject([{ subjectId: staffId }]);
});
