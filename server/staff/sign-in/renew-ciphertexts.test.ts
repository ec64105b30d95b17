import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import { expect, it } from "vitest";
import { newId } from "../../kernel/ids";
import type { Secrets } from "../../kernel/secrets";
import { openDatabase } from "../../platform/db/client";
import { OWNER, opened, openHttpAppForTests } from "../../test/http-app";
import { openBrowser } from "../../test/staff-browser";
import { renewCiphertexts } from "./renew-ciphertexts";
import { findSignedIn, staffAuth } from "./staff-session";

openHttpAppForTests();

/** The app after a restart with other secrets. */
const withSecrets = (...authSecrets: Secrets) => ({ ...opened.app, authSecrets });

/** A browser in which the owner is signed in. */
async function signedIn() {
  const browser = openBrowser(opened.app);
  expect((await browser.signIn(OWNER.email)).status).toBe(200);
  return browser;
}

it("reports the service as unavailable while the database is unreachable", async () => {
  const headers = (await signedIn()).headers();
  const url = "postgresql://rollcall@127.0.0.1:9/rollcall";
  const away = openDatabase({ url, poolSize: 1, onError: () => {} });
  const asked = findSignedIn({ ...opened.app, db: away.db }, headers);
  await expect(asked).rejects.toMatchObject({ code: "service_unavailable" });
  await away.close();
});

it("encrypts authenticator apps and recovery codes with the newest secret", async () => {
  const [older, newer] = [opened.app.authSecrets[0], "t".repeat(40)];
  const keyOf = async (...secrets: Secrets) =>
    (await staffAuth(withSecrets(...secrets)).$context).secretConfig;
  const encrypted = async (data: string) => symmetricEncrypt({ key: await keyOf(older), data });
  const staff = await opened.app.db.staffMember.findFirstOrThrow();
  const [secret, backupCodes] = [await encrypted("a shared secret"), await encrypted('["code"]')];
  const { db } = opened.app;
  await db.staffTwoFactor.create({ data: { id: newId(), staffId: staff.id, secret, backupCodes } });
  const readWith = async (...secrets: Secrets) => {
    const row = await db.staffTwoFactor.findFirstOrThrow();
    const key = await keyOf(...secrets);
    return Promise.all([row.secret, row.backupCodes].map((data) => symmetricDecrypt({ key, data })));
  };
  await expect(readWith(newer)).rejects.toThrow();
  await renewCiphertexts(withSecrets(newer, older));
  expect(await readWith(newer)).toEqual(["a shared secret", '["code"]']);
  const before = await db.staffTwoFactor.findFirst();
  await renewCiphertexts(withSecrets(newer, older));
  expect(await db.staffTwoFactor.findFirst()).toEqual(before);
  // A missing secret does not stop the start.
  await renewCiphertexts(withSecrets("u".repeat(40), "v".repeat(40)));
  expect(await db.staffTwoFactor.findFirst()).toEqual(before);
});
