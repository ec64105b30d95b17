import { expect, onTestFinished, test } from "vitest";
import { OWNER, openHttpApp } from "../test/http-app";
import { openBrowser, proceduresFor } from "../test/staff-browser";

test("staff get a warning before adding an active person who opted out under another spelling", async () => {
  const { app, newsletterId, close } = await openHttpApp();
  onTestFinished(close);
  const browser = openBrowser(app);
  await browser.signIn(OWNER.email, OWNER.password);
  const { people, bulkActions } = proceduresFor(app, browser);
  const unsubscribe = (id: string) =>
    bulkActions.start({ newsletterId, kind: "unsubscribe", target: { ids: [id] } });
  const add = (email: string, more: object = {}, despiteOptOut?: boolean) =>
    people.add({ newsletterId, person: { email, ...more }, despiteOptOut });
  await unsubscribe((await add("x@gmail.com")).id);

  const warned = add("x+news@gmail.com");
  await expect(warned).rejects.toThrow("Another spelling of this address has opted out.");
  expect(await app.db.subscriber.count()).toBe(1);
  expect(await add("x+news@gmail.com", {}, true)).toMatchObject({ status: "active" });
  await unsubscribe((await add("ada+news@lovelace.org")).id);
  await expect(add("ada@lovelace.org")).rejects.toThrow("Another spelling of this address has opted out.");
  expect(await add("x+pending@gmail.com", { status: "pending" })).toMatchObject({ status: "pending" });
});
