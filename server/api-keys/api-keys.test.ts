import { beforeAll, expect, test } from "vitest";
import { addNewsletter } from "../test/linked-person";
import { base, database, openDatabaseForTests } from "../test/open-database";
import { createApiKeyCache } from "./api-key-cache";
import { createKey, listKeys, revokeKey, rotateKey } from "./api-keys";
import { listAllApiKeys } from "./queries/api-keys";

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
  await revokeKey(ctx(), { keyId: third.id });
  await expect(rotate(third.id, 0)).rejects.toMatchObject({ code: "not_found" });
  await cache.close();
});
