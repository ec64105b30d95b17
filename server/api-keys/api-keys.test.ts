import { beforeAll, expect, test } from "vitest";
import { createNewsletter } from "../accounts/newsletters";
import { newId } from "../kernel/ids";
import { addNewsletter } from "../test/linked-person";
import { openBefore } from "../test/old-schema";
import { base, database, openDatabaseForTests } from "../test/open-database";
import { createApiKeyCache } from "./api-key-cache";
import { createKey, listKeys, revokeKey, rotateKey } from "./api-keys";
import { listAllApiKeys } from "./queries/api-keys";
import { isGranted, permissions } from "./schema/permissions";

openDatabaseForTests();
let newsletter: { id: string; accountId: string };

beforeAll(async () => {
  newsletter = await addNewsletter(database.db);
});

const ctx = () => ({ db: database.db, actor: { kind: "operator" } as const, requestId: "test" });
const newKey = (more = {}) =>
  createKey(ctx(), { newsletterId: newsletter.id, key: { name: "Shop", ...more } });
const stateOf = async (keyId: string) =>
  (await listKeys(ctx(), { newsletterId: newsletter.id })).find(({ id }) => id === keyId)?.state;
const openCache = () =>
  createApiKeyCache({
    db: database.db,
    url: base.url,
    onError: (error) => {
      throw error;
    },
  });

test("a key is found by its secret until it is revoked, and its use is recorded with the caller's address", async () => {
  const cache = openCache();
  const { id, secret } = await newKey({ permissions: ["subscribers:read"], expiresInDays: 1 });
  expect(await cache.find(secret)).toMatchObject({
    id,
    newsletterId: newsletter.id,
    accountId: newsletter.accountId,
    permissions: ["subscribers:read"],
    apiAccess: true,
  });
  cache.used(id, "192.0.2.7");
  await revokeKey(ctx(), { newsletterId: newsletter.id, keyId: id });
  await expect.poll(() => cache.find(secret)).toBe(null);
  expect(await cache.find(`${secret.slice(0, -1)}!`)).toBe(null);
  await cache.close();
  expect(await stateOf(id)).toBe("revoked");
  const listed = (await listAllApiKeys(database.db)).find((key) => key.id === id);
  expect(listed).toMatchObject({ lastUsedFrom: "192.0.2.7", newsletter: { name: expect.any(String) } });
});

test("a rotated key has the old key's permissions; the old key expires after the overlap, or at once without one", async () => {
  const cache = openCache();
  const old = await newKey({ permissions: ["subscribers:write"] });
  const rotate = (keyId: string, overlapHours: number) =>
    rotateKey(ctx(), { newsletterId: newsletter.id, keyId, overlapHours });
  const second = await rotate(old.id, 24);
  expect(await cache.find(old.secret)).toMatchObject({ id: old.id });
  expect(await cache.find(second.secret)).toMatchObject({ name: "Shop", permissions: ["subscribers:write"] });
  const third = await rotate(second.id, 0);
  await expect.poll(() => cache.find(second.secret)).toBe(null);
  expect(await cache.find(third.secret)).toMatchObject({ id: third.id });
  const states = (await listKeys(ctx(), { newsletterId: newsletter.id })).slice(0, 3);
  expect(states.map(({ id, state, replacedBy }) => [id, state, replacedBy])).toEqual([
    [third.id, "live", null],
    [second.id, "expired", third.id],
    [old.id, "rotated", second.id],
  ]);
  await revokeKey(ctx(), { keyId: third.id });
  await expect(rotate(third.id, 0)).rejects.toMatchObject({ code: "not_found" });
  await cache.close();
});

test("a key for all newsletters is listed for each one of its account, stays one when it is rotated, and is revoked from any", async () => {
  const cache = openCache();
  const { accountId } = newsletter;
  const [other, foreign] = [
    await createNewsletter(ctx(), { accountId, name: "Other" }),
    await addNewsletter(database.db),
  ];
  const old = await newKey({ forAllNewsletters: true });
  const { id, secret } = await rotateKey(ctx(), { newsletterId: other.id, keyId: old.id, overlapHours: 0 });
  const seen = { id, accountId };
  expect(await cache.find(secret)).toMatchObject({ ...seen, newsletterId: null });
  for (const one of [newsletter.id, other.id])
    expect(await cache.find(secret, one)).toMatchObject({ ...seen, newsletterId: one });
  expect(await cache.find(secret, foreign.id)).toMatchObject({ ...seen, newsletterId: null });
  const forAll = async (newsletterId: string) =>
    (await listKeys(ctx(), { newsletterId })).filter((key) => key.forAllNewsletters).map((key) => key.id);
  expect(await forAll(newsletter.id)).toEqual([id, old.id]);
  expect(await forAll(other.id)).toEqual([id, old.id]);
  expect(await forAll(foreign.id)).toEqual([]);
  await expect(revokeKey(ctx(), { newsletterId: foreign.id, keyId: id })).rejects.toMatchObject({
    code: "not_found",
  });
  await revokeKey(ctx(), { newsletterId: other.id, keyId: id });
  await expect.poll(() => cache.find(secret, newsletter.id)).toBe(null);
  await cache.close();
});

test("a new key can read and write people, and nothing more", async () => {
  const cache = openCache();
  const { secret } = await newKey();
  expect((await cache.find(secret))?.permissions).toEqual(["subscribers:read", "subscribers:write"]);
  await cache.close();
});

test.each([
  ["10.0.0.0/8, 127.0.0.1; 2001:db8::/32", ["10.0.0.0/8", "127.0.0.1", "2001:db8::/32"]],
  [" ", []],
])("networks are read from a text: “%s”", async (networks, stored) => {
  const cache = openCache();
  const { secret } = await newKey({ networks });
  expect((await cache.find(secret))?.networks).toEqual(stored);
  await cache.close();
});

test.each([
  "10.0.0.0/33",
  "10/8",
  "shop.example.org",
  "127.0.0.1,10.0.0.x",
  Array(51).fill("10.0.0.1").join(),
])("networks that are refused: “%s”", async (networks) => {
  await expect(newKey({ networks })).rejects.toMatchObject({
    errors: { networks: [expect.stringMatching(/is not an IP address or network|at most 50 networks/)] },
  });
});

test("a rotation keeps permissions that no new key can have", async () => {
  const cache = openCache();
  const { id } = await newKey();
  await database.db.apiKey.update({ where: { id }, data: { permissions: ["suppressions:read", "imports"] } });
  const { secret } = await rotateKey(ctx(), { keyId: id, overlapHours: 0 });
  expect((await cache.find(secret))?.permissions).toEqual(["suppressions:read", "imports"]);
  await cache.close();
});

test("an upgrade leaves keys what they could do, and adds nothing", async () => {
  const { sql, newsletterId, upgrade } = await openBefore("20261203010000_permissions");
  const before = [["subscribers:read", "subscribers:write"], ["subscribers:read"], ["subscribers:write"]];
  for (const granted of before)
    await sql(
      `INSERT INTO api_keys (id, newsletter_id, name, prefix, secret_sha256, permissions)
       VALUES ($1, $2, 'Shop', 'sk_abc', sha256($3::text::bytea), $4)`,
      [newId(), newsletterId, granted.join(), granted],
    );
  await upgrade();
  const rows = await sql("SELECT permissions FROM api_keys ORDER BY id");
  const can = (rows as { permissions: string[] }[]).map((row) =>
    permissions.flatMap((one) => {
      const kinds = (["read", "write"] as const).filter((kind) => isGranted(row.permissions, one, kind));
      return kinds.length === 2 ? one : kinds.map((kind) => `${kind} ${one}`);
    }),
  );
  const [read, write, erase] = permissions;
  expect(can).toEqual([
    [read, write, erase, "suppressions", "fields"],
    [read, "read suppressions"],
    [write, erase, "write suppressions", "fields"],
  ]);
});
