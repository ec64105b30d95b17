import { afterAll, beforeAll, expect, test } from "vitest";
import { type AppContext, createApp } from "../app";
import { loadConfig } from "../config";
import { newId } from "../kernel/ids";
import { makeLog } from "../kernel/log";
import { recipientHash } from "../mail/recipient-hash";
import { renderConfirmation } from "../mail/templates/render-confirmation";
import { renderNewAddress, renderPreferences } from "../mail/templates/render-preferences";
import { renderWelcome } from "../mail/templates/render-welcome";
import { defaultWordings } from "../sign-up/schema/sign-up-page";
import { saveSignUpSettings } from "../sign-up/sign-up-page";
import { createTestDatabase, type TestDatabase } from "../test/database";
import { addLinkedPerson, addNewsletter } from "../test/linked-person";
import { handlePublic } from "./handler";

/** SCANNER_OPENS=10000 is the full run. */
const OPENS = Number(process.env.SCANNER_OPENS || 150);
const APP_URL = "https://list.example.org";

let database: TestDatabase;
let app: AppContext;

beforeAll(async () => {
  database = await createTestDatabase();
  const config = loadConfig({ LOG_LEVEL: "silent", APP_URL });
  app = await createApp(config, database.url, ["a secret for tests that is long enough"], makeLog(config));
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const linksIn = (html: string) =>
  [...html.matchAll(/(?:href|action|src)="([^"]+)"/g)].map(([, link]) =>
    new URL((link as string).replaceAll("&amp;", "&"), APP_URL).toString(),
  );

/** The variants of a link that a scanner with form support may request. */
const variants = (link: string) => [
  link,
  ...[
    "action=unsubscribe",
    "action=comeBack",
    "action=preferences",
    "action=erase",
    "List-Unsubscribe=One-Click",
  ].map((query) => `${link}?${query}`),
];

/**
 * Returns all stored data about people. A page that changed any of it would also have written a change or an activity.
 */
const stored = async () =>
  JSON.stringify(
    await Promise.all([
      app.db.subscriber.findMany({ orderBy: { id: "asc" } }),
      app.db.subscriberEvent.findMany({ orderBy: { id: "asc" } }),
      app.db.mail.findMany({ orderBy: { id: "asc" } }),
      app.db.suppression.findMany(),
      app.db.change.count(),
    ]),
    (_, value) => (typeof value === "bigint" ? String(value) : value),
  );

test(`${OPENS} opens of the links in mails and on pages, with GET and HEAD, change nobody`, async () => {
  const newsletter = await addNewsletter(app.db, { language: "de" });
  const sister = await addNewsletter(app.db, { accountId: newsletter.accountId });
  const actor = { kind: "staff", id: newId(), accountId: newsletter.accountId, role: "editor" } as const;
  await saveSignUpSettings(
    { db: app.db, actor, requestId: "test" },
    { ...newsletter, language: "de", name: "Weekly" },
    {
      version: 0,
      settings: {
        isOn: true,
        title: "",
        introduction: "",
        wording: defaultWordings.de,
        asksName: true,
        fields: [],
      },
    },
  );
  const words = { newsletterName: "Weekly", language: "de" };
  const mails: string[] = [];
  for (const status of ["pending", "active", "unsubscribed"] as const) {
    const person = await addLinkedPerson(app.db, newsletter.id, { status });
    await addLinkedPerson(app.db, sister.id, { status: "active", email: person.email });
    const unsubscribeUrl = app.links.unsubscribeUrl(person);
    const confirmation = await renderConfirmation({
      ...words,
      confirmUrl: app.links.confirmationUrl(person),
    });
    const welcome = await renderWelcome({ ...words, unsubscribeUrl, own: { subject: null, intro: null } });
    mails.push(confirmation.html, welcome.html);
    const asked = {
      ...{ id: newId(), newsletterId: newsletter.id, subscriberId: person.subscriberId, kind: "preferences" },
      ...{ toEmail: person.email, recipientHash: person.email, linkExpiresAt: person.expiresAt },
      ...{ state: "sent", batchId: newId(), batchPosition: 0, subject: "", html: "", text: "" },
    };
    await app.db.mail.create({ data: asked });
    const claims = { ...person, mailId: asked.id };
    const entered = { ...asked, id: newId(), kind: "new_address", toEmail: `new-${person.email}` };
    await app.db.mail.create({
      data: { ...entered, recipientHash: recipientHash(person.email), batchId: newId() },
    });
    const url = app.links.newAddressUrl({ ...person, mailId: entered.id });
    mails.push((await renderNewAddress({ ...words, url })).html);
    mails.push((await renderPreferences({ ...words, url: app.links.preferencesUrl(claims) })).html);
  }
  const open = (url: string, method: string) =>
    handlePublic(app, new Request(url, { method }), "203.0.113.7");

  const found = new Set(mails.flatMap(linksIn).filter((link) => link.startsWith(APP_URL)));
  found.add(`${APP_URL}/s/${newsletter.id}`).add(`${APP_URL}/s/${newsletter.id}/time`);
  const before = await stored();
  const pages = [...found];
  // A page's own links are opened like an email's links.
  for (const page of pages)
    for (const link of linksIn(await (await open(page, "GET")).text())) found.add(link);
  const links = [...found].flatMap(variants);
  expect(links.length).toBeGreaterThan(35);
  const statuses = new Set<number>();
  for (let opened = 0; opened < OPENS; opened += 20) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        open(links[(opened + i) % links.length] as string, (opened + i) % 3 === 0 ? "HEAD" : "GET"),
      ),
    );
    for (const { status, headers } of answers) {
      statuses.add(status);
      expect([headers.get("set-cookie"), headers.get("location")]).toEqual([null, null]);
    }
  }
  expect([...statuses].filter((status) => status >= 500)).toEqual([]);
  expect(statuses).toContain(200);
  expect(await stored()).toBe(before);
}, 300_000);
