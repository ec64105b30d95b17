import { beforeEach, expect, test } from "vitest";
import { createKey, listMadeByStaff } from "../api-keys/api-keys";
import { newId } from "../kernel/ids";
import { openLinks } from "../mail/signed-links";
import { bench, openBenchForTests } from "../test/mail-bench";
import { findInvitation, invite, join } from "./invitations";
import type { Role } from "./schema/roles";
import { endSessions, removeStaff, setRole } from "./staff";

const links = openLinks({ secrets: ["s".repeat(32)], appUrl: "https://list.example" });
const joining = { name: "Grace", password: "a long enough password" };

openBenchForTests({ reset: false });
let accountId: string;
let newsletterId: string;
/** The owner who stays, and the owner who is removed. */
let owner: string;
let other: string;

beforeEach(async () => {
  newsletterId = await bench.newsletter();
  ({ accountId } = await bench.db.newsletter.findUniqueOrThrow({ where: { id: newsletterId } }));
  [owner, other] = [await addStaff("owner"), await addStaff("owner")];
});

async function addStaff(role: Role): Promise<string> {
  const id = newId();
  await bench.db.staffMember.create({
    data: { id, accountId, email: `${id}@list.example`, name: role, role },
  });
  return id;
}
const as = (id: string) =>
  ({
    db: bench.db,
    outbox: bench.outbox,
    actor: { kind: "staff", id, accountId, role: "owner", address: "192.0.2.7" },
    requestId: "test",
    links,
  }) as unknown as Parameters<typeof invite>[0];
async function inviteAs(id: string, role: Role = "owner") {
  const { url } = await invite(as(id), { accountId, invitation: { email: `${newId()}@navy.mil`, role } });
  return url.slice(url.lastIndexOf("/") + 1);
}
const entries = async (action: string) =>
  bench.db.auditEntry.findMany({
    where: { accountId, action },
    orderBy: { id: "asc" },
    select: { actorId: true, subjectId: true, detail: true },
  });

test.each<[string, () => Promise<unknown>]>([
  ["removed", () => removeStaff(as(owner), { accountId, id: other })],
  ["demoted", () => setRole(as(owner), { accountId, id: other, role: "editor" })],
])(
  "the invitation of an owner who was %s makes nobody an owner; those of others still hold",
  async (_, end) => {
    const [theirs, ours] = [await inviteAs(other), await inviteAs(owner, "viewer")];
    await end();
    await expect(join(as(owner), { token: theirs, joining })).rejects.toMatchObject({ code: "not_found" });
    expect(await findInvitation(bench, { token: ours })).toMatchObject({ role: "viewer" });
    expect(await entries("staff.invitation_withdrawn")).toMatchObject([
      { actorId: owner, detail: { role: "owner", email: expect.stringMatching(/@navy\.mil$/) } },
    ]);
  },
);

test("an invitation created while its author is demoted opens nothing", async () => {
  await setRole(as(owner), { accountId, id: other, role: "viewer" });
  // Simulates a request that read the inviter's rights before they changed.
  const token = await inviteAs(other);
  expect(await findInvitation(bench, { token })).toBe(null);
  await expect(join(as(owner), { token, joining })).rejects.toMatchObject({ code: "not_found" });
});

test("a removal beside new invitations leaves no invitation of the removed staff member, in any order", async () => {
  for (let round = 0; round < 10; round++) {
    const leaver = await addStaff("owner");
    const before = await inviteAs(leaver);
    const results = await Promise.allSettled([
      inviteAs(leaver),
      removeStaff(as(owner), { accountId, id: leaver }),
      inviteAs(leaver),
    ]);
    expect(results[1]?.status).toBe("fulfilled");
    expect(await findInvitation(bench, { token: before })).toBe(null);
    for (const result of results)
      if (result.status === "fulfilled" && typeof result.value === "string")
        expect(await findInvitation(bench, { token: result.value })).toBe(null);
    expect(await bench.db.invitation.count({ where: { accountId } })).toBe(0);
  }
});

test("a staff member's usable invitations and working keys are listed before their removal", async () => {
  await inviteAs(other, "editor");
  const key = await createKey(as(other), { newsletterId, key: { name: "Shop" } });
  await createKey(as(owner), { newsletterId, key: { name: "Not theirs" } });
  const revoked = await createKey(as(other), { newsletterId, key: { name: "Revoked" } });
  await bench.db.apiKey.update({ where: { id: revoked.id }, data: { revokedAt: new Date() } });
  expect(await listMadeByStaff(as(owner), { accountId, id: other })).toMatchObject({
    invitations: [{ role: "editor" }],
    keys: [{ id: key.id, name: "Shop", newsletter: { id: newsletterId, name: "Weekly" } }],
  });
  // Staff of another account see nothing.
  expect(await listMadeByStaff(as(owner), { accountId: newId(), id: other })).toEqual({
    invitations: [],
    keys: [],
  });
  await removeStaff(as(owner), { accountId, id: other });
  expect((await bench.db.apiKey.findUniqueOrThrow({ where: { id: key.id } })).revokedAt).toBe(null);
});

test("the audit log has the number of ended sessions, and no entry when none ended", async () => {
  const ids = [newId(), newId(), newId()];
  const [current, second] = ids as [string, string];
  for (const id of ids)
    await bench.db.staffSession.create({
      data: { id, staffId: owner, token: id, expiresAt: new Date(Date.now() + 60_000) },
    });
  const self = { id: owner, accountId, sessionId: current };
  expect(await endSessions(as(owner), { ...self, which: { id: second } })).toBe(1);
  expect(await endSessions(as(owner), { ...self, which: "others" })).toBe(1);
  expect(await endSessions(as(owner), { ...self, which: "others" })).toBe(0);
  expect(await entries("staff.session_ended")).toEqual([
    { actorId: owner, subjectId: owner, detail: { sessions: 1 } },
    { actorId: owner, subjectId: owner, detail: { sessions: 1 } },
  ]);
  expect(await bench.db.staffSession.count({ where: { staffId: owner } })).toBe(1);
});
