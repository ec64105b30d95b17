import { expect, onTestFinished, test } from "vitest";
import { findSignedIn } from "../staff/sign-in/staff-session";
import { OWNER, openHttpApp } from "../test/http-app";
import { openBrowser } from "../test/staff-browser";
import { createCallerFactory } from "../trpc/base";
import { appRouter } from "../trpc/router";

test("staff get a warning before adding an active person who opted out under another spelling", async () => {
  const { app, newsletterId, close } = await openHttpApp();
  onTestFinished(close);
  const browser = openBrowser(app);
  await browser.signIn(OWNER.email, OWNER.password);
  const signedIn = () => findSignedIn(app, browser.headers());
  const { people, bulkActions } = createCallerFactory(appRouter)({
    app,
    requestId: "test",
    address: null,
    signedIn,
  });
  const add = (email: string, more: object = {}, despiteOptOut?: boolean) =>
    people.add({ newsletterId, person: { email, ...more }, despiteOptOut });
  const { id } = await add("x@gmail.com");
  await bulkActions.start({ newsletterId, kind: "unsubscribe", target: { ids: [id] } });

  const warned = add("x+news@gmail.com");
  await expect(warned).rejects.toThrow("Another spelling of this address has opted out.");
  expect(await app.db.subscriber.count()).toBe(1);
  expect(await add("x+news@gmail.com", {}, true)).toMatchObject({ status: "active" });
  await bulkActions.start({
    newsletterId,
    kind: "unsubscribe",
    target: { ids: [(await add("ada+news@lovelace.org")).id] },
  });
  await expect(add("ada@lovelace.org")).rejects.toThrow("Another spelling of this address has opted out.");
  expect(await add("x+pending@gmail.com", { status: "pending" })).toMatchObject({ status: "pending" });
});
