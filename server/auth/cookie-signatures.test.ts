import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openDatabase } from "../db/client";
import { newId } from "../domain/ids";
import { type HttpApp, OWNER, openHttpApp } from "../test/http-app";
import type { Secrets } from "./derived-keys";
import { renewCiphertexts } from "./renew-ciphertexts";
import { handleStaffAuth } from "./staff-handler";
import { findSignedIn, staffAuth } from "./staff-session";

let opened: HttpApp;
beforeAll(async () => {
  opened = await openHttpApp();
});
afterAll(() => opened.close());

/** The app after a restart with other secrets. */
const withSecrets = (...authSecrets: Secrets) => ({ ...opened.app, authSecrets });

/** @returns the cookie of a session */
async function post(app: HttpApp["app"], path: string, body: object, cookie = ""): Promise<string> {
  const { appUrl } = app;
  const headers = { "Content-Type": "application/json", Host: new URL(appUrl).host, Origin: appUrl, cookie };
  const request = new Request(`${appUrl}/api/auth/${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  const response = await handleStaffAuth(app, request, "192.0.2.1");
  expect(response.status, await response.clone().text()).toBe(200);
  return (response.headers.get("set-cookie") ?? "").split(";")[0] as string;
}

it("a session begun under the older secret holds while the list has it, can be ended, and is nothing without it", async () => {
  const cookie = await post(opened.app, "sign-in/email", OWNER);
  const headers = new Headers({ cookie: `theme=dark; ${cookie}` });
  const [older, newer] = [opened.app.authSecrets[0], "t".repeat(40)];
  expect(await findSignedIn(withSecrets(newer), headers)).toBe(null);
  expect(await findSignedIn(withSecrets(newer, "u".repeat(40)), headers)).toBe(null);
  expect(await findSignedIn(withSecrets(newer, older), headers)).toMatchObject({ email: OWNER.email });
  const changed = new Headers({ cookie: cookie.replace(/=\w/, (two) => (two === "=A" ? "=B" : "=A")) });
  expect(await findSignedIn(withSecrets(newer, older), changed)).toBe(null);
  await post(withSecrets(newer, older), "sign-out", {}, cookie);
  expect(await findSignedIn(withSecrets(newer, older), headers)).toBe(null);
});

it("while the database is away nobody is taken for signed out, and no error of ours is claimed", async () => {
  const cookie = await post(opened.app, "sign-in/email", OWNER);
  const url = "postgresql://rollcall@127.0.0.1:9/rollcall";
  const away = openDatabase({ url, poolSize: 1, onError: () => {} });
  const asked = findSignedIn({ ...opened.app, db: away.db }, new Headers({ cookie }));
  await expect(asked).rejects.toMatchObject({ code: "service_unavailable" });
  await away.close();
});

it("an authenticator app and its recovery codes, set up under the older secret, outlive it once a start has seen both", async () => {
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
  // A secret that is gone stops no start.
  await renewCiphertexts(withSecrets("u".repeat(40), "v".repeat(40)));
  expect(await db.staffTwoFactor.findFirst()).toEqual(before);
});
