import { expect, test } from "vitest";
import { newId } from "../kernel/ids";
import { recipientHash } from "../mail/recipient-hash";
import type { PersonMailKind } from "../mail/schema/mail-states";
import { renderPersonMail } from "../mail/templates/render-person-mail";
import { defaultWordings } from "../sign-up/schema/sign-up-page";
import { addLinkedPerson, addNewsletter } from "../test/linked-person";
import { APP_URL, app, ask, openAppForTests } from "../test/public-pages";
import { saveSignUpPage } from "../test/sign-up-fixture";

openAppForTests();

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

test("opening the links in mails and on pages, with GET and HEAD, changes no one", async () => {
  const newsletter = await addNewsletter(app.db, { language: "de" });
  const sister = await addNewsletter(app.db, { accountId: newsletter.accountId });
  await saveSignUpPage(app.db, newsletter.id, { wording: defaultWordings.de });
  const mails: string[] = [];
  const write = async (kind: PersonMailKind, url: string) =>
    mails.push((await renderPersonMail({ kind, newsletterName: "Weekly", language: "de" }, url)).html);
  for (const status of ["pending", "active", "unsubscribed"] as const) {
    const person = await addLinkedPerson(app.db, newsletter.id, { status });
    await addLinkedPerson(app.db, sister.id, { status: "active", email: person.email });
    await write("confirmation", app.links.confirmationUrl(person));
    await write("welcome", app.links.unsubscribeUrl(person));
    const asked = {
      ...{ id: newId(), newsletterId: newsletter.id, subscriberId: person.subscriberId, kind: "preferences" },
      ...{ toEmail: person.email, recipientHash: person.email, linkExpiresAt: person.expiresAt },
      ...{ state: "sent", batchId: newId(), batchPosition: 0, subject: "", html: "", text: "" },
    };
    await app.db.mail.create({ data: asked });
    const entered = { ...asked, id: newId(), kind: "new_address", toEmail: `new-${person.email}` };
    await app.db.mail.create({
      data: { ...entered, recipientHash: recipientHash(person.email), batchId: newId() },
    });
    await write("new_address", app.links.newAddressUrl({ ...person, mailId: entered.id }));
    await write("preferences", app.links.preferencesUrl({ ...person, mailId: asked.id }));
  }
  const open = (url: string, method: string) => ask(url, { method });

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
  for (const link of links)
    for (const { status, headers } of [await open(link, "GET"), await open(link, "HEAD")]) {
      statuses.add(status);
      expect([headers.get("set-cookie"), headers.get("location")]).toEqual([null, null]);
    }
  expect([...statuses].filter((status) => status >= 500)).toEqual([]);
  expect(statuses).toContain(200);
  expect(await stored()).toBe(before);
});
