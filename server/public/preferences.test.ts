import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startFakeResend } from "../../e2e/fixtures/fake-resend";
import { ofNewsletter } from "../accounts/context";
import { newId } from "../kernel/ids";
import { DAY_MS } from "../kernel/time";
import { getMail } from "../mail-log/mails";
import type { FieldType } from "../subscribers/field-values";
import { createField } from "../subscribers/fields";
import { listActivities } from "../subscribers/timeline";
import { startDelivery } from "../test/delivery-fixture";
import { addLinkedPerson, addNewsletter, suppressAddress } from "../test/linked-person";
import { mailedBy, quick } from "../test/mail-fixture-values";
import { APP_URL, app, ask, CALLER, database, openAppForTests, pageOf, post } from "../test/public-pages";
import { saveSignUpPage } from "../test/sign-up-fixture";
import { messagesFor } from "./pages/messages";

openAppForTests({ RESEND_API_KEY: "re_test", MAIL_FROM: "Weekly <hello@weekly.org>" });
let newsletter: Awaited<ReturnType<typeof addNewsletter>>;
beforeAll(async () => {
  newsletter = await addNewsletter(app.db);
});
beforeEach(() => app.db.$executeRaw`DELETE FROM mail_throttle`);

/** The inputs of a page's form of details, as a browser would send them. */
function inputsOf(html: string): Record<string, string> {
  const plain = (text: string) =>
    text.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name) =>
      String({ amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" }[name as string]),
    );
  const attribute = (tag: string, name: string) =>
    plain(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? "");
  const inputs = [...html.matchAll(/<input[^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => !tag.includes('type="checkbox"') || tag.includes(" checked"));
  const selects = [...html.matchAll(/(<select[^>]*>)(.*?)<\/select>/g)].map(([, tag = "", options = ""]) => [
    attribute(tag, "name"),
    plain(/<option selected="">([^<]*)</.exec(options)?.[1] ?? ""),
  ]);
  return Object.fromEntries([
    ...inputs.map((tag) => [attribute(tag, "name"), attribute(tag, "value")]),
    ...selects,
  ]);
}

/** A person, both their links as they would be mailed, and what is stored of them. */
async function person(options: Parameters<typeof addLinkedPerson>[2] = {}, newsletterId = newsletter.id) {
  const claims = await addLinkedPerson(app.db, newsletterId, { status: "active", ...options });
  const { subscriberId } = claims;
  const mails = () =>
    app.db.mail.findMany({ where: { subscriberId, kind: "preferences" }, orderBy: { id: "asc" } });
  const unsubscribeUrl = app.links.unsubscribeUrl(claims);
  /** Asks for the link, and lets its mail be sent. */
  const asked = async (expiresAt = new Date(Date.now() + DAY_MS)) => {
    await app.db.$executeRaw`DELETE FROM mail_throttle`;
    await post(unsubscribeUrl, { action: "preferences" });
    const mail = (await mails()).at(-1);
    if (!mail) throw new Error("no mail was written");
    await markSent(mail.id);
    return app.links.preferencesUrl({ newsletterId, subscriberId, mailId: mail.id, expiresAt });
  };
  return {
    ...claims,
    mails,
    asked,
    unsubscribeUrl,
    row: () => app.db.subscriber.findFirst({ where: { newsletterId, id: subscriberId } }),
    activities: async () =>
      (await listActivities(app, { newsletterId, id: subscriberId, limit: 20, after: null })).items,
    set: (data: object) =>
      app.db.subscriber.update({ where: { newsletterId_id: { newsletterId, id: subscriberId } }, data }),
  };
}

/** Lets an unsent mail be sent. */
async function markSent(id: string): Promise<void> {
  const sent = { state: "sent", batchId: newId(), batchPosition: 0, subject: "", html: "", text: "" };
  await app.db.mail.update({ where: { id }, data: sent });
}

describe("the link is mailed", () => {
  test("when the button on the unsubscribe page is used, which shows no data; the link opens the page that does", async () => {
    const one = await person({ email: "ada@lovelace.org" });
    await one.set({ firstName: "Ada", lastName: "Lovelace" });
    const fake = await startFakeResend();
    const [databaseUrl, silent] = [database.url, { info() {}, warn() {}, error() {} }];
    const transport = { kind: "resend", apiKey: "re_test", baseUrl: fake.url } as const;
    const mailService = mailedBy(transport, "Weekly <hello@weekly.org>");
    const delivery = await startDelivery({
      ...{ db: app.db, databaseUrl, mailService, links: app.links, log: silent, tuning: quick },
    });
    const text = await pageOf(await post(one.unsubscribeUrl, { action: "preferences" }));
    expect(text).toContain("is on its way, unless you requested one in the last minute");
    expect(text).not.toMatch(/\bada\b|lovelace|<button/i);
    await expect.poll(() => fake.mails.length, { timeout: 30_000 }).toBe(1);
    const [mail] = fake.mails;
    expect(mail).toMatchObject({ to: ["ada@lovelace.org"], subject: "Your details at Weekly" });
    expect(mail?.headers).toMatchObject({ "List-Unsubscribe": `<${one.unsubscribeUrl}>` });
    const link = /https:\S+\/preferences\/[\w-]{92}(?=\s)/.exec(mail?.text ?? "")?.[0] as string;
    const page = await pageOf(await ask(link));
    expect(page).toContain("<b>ada@lovelace.org</b>");
    expect(inputsOf(page)).toMatchObject({ name: "Ada Lovelace" });

    // A new address must be confirmed by its reader, too.
    await post(link, { action: "address", email: "Ada@bücher.org" });
    await expect.poll(() => fake.mails.length, { timeout: 30_000 }).toBe(2);
    await delivery.stop();
    await fake.stop();
    const atNew = fake.mails[1];
    expect(atNew).toMatchObject({ to: ["Ada@xn--bcher-kva.org"], subject: "Use this address for Weekly?" });
    const use = /https:\S+\/preferences\/[\w-]{92}(?=\s)/.exec(atNew?.text ?? "")?.[0] as string;
    expect(await pageOf(await ask(use))).toContain("<b>Ada@xn--bcher-kva.org</b>");
    expect(await one.row()).toMatchObject({ email: "ada@lovelace.org" });

    // Staff see the email without its working link, and its delivery in the person's timeline.
    const [row] = await one.mails();
    const read = await getMail(app, { newsletterId: newsletter.id, id: row?.id as string });
    expect(read.text).toContain(`${APP_URL}/preferences/hidden`);
    expect(read.html + read.text).not.toContain(link.slice(-20));
    expect((await one.activities()).map(({ type }) => type).slice(0, 4)).toEqual([
      ...["sent", "address_asked", "sent", "link_asked"],
    ]);
  });

  test("once a minute to one person, over spellings and newsletters; the answer is the same", async () => {
    const sister = await addNewsletter(app.db, { accountId: newsletter.accountId });
    const one = await person({ email: "emmy@gmail.com" });
    const same = await person({ email: "e.m.my+x@gmail.com" }, sister.id);
    const press = async (who: typeof one) =>
      (await pageOf(await post(who.unsubscribeUrl, { action: "preferences" }))).replace(/\s/g, "");
    const first = await press(one);
    expect(await press(one)).toBe(first);
    await press(same);
    expect([(await one.mails()).length, (await same.mails()).length]).toEqual([1, 0]);
  });

  test.each(["active", "pending", "unsubscribed", "manual"] as const)("to %s people", async (state) => {
    const one = await person({ status: state === "manual" ? "unsubscribed" : state });
    if (state === "manual")
      await suppressAddress(app.db, newsletter.id, { email: one.email, reason: "manual" });
    expect(await pageOf(await ask(one.unsubscribeUrl))).toContain('value="preferences"');
    expect(await pageOf(await ask(await one.asked()))).toContain(one.email);
    // People who unsubscribe before the email is sent still get it.
    await app.db.$executeRaw`DELETE FROM mail_throttle`;
    await post(one.unsubscribeUrl, { action: "preferences" });
    await post(one.unsubscribeUrl, { action: "unsubscribe" });
    expect((await one.mails()).map(({ state }) => state)).toEqual(["sent", "waiting"]);
  });

  test.each(["bounced", "complained", "denied"] as const)("to no address that %s", async (reason) => {
    const one = await person({ status: "unsubscribed" });
    await suppressAddress(app.db, newsletter.id, { email: one.email, reason });
    expect(await pageOf(await ask(one.unsubscribeUrl))).not.toContain('value="preferences"');
    await post(one.unsubscribeUrl, { action: "preferences" });
    expect(await one.mails()).toEqual([]);
  });

  test("to no one without a mail provider, and the page says so", async () => {
    const one = await person();
    const current = { ...app, mailService: mailedBy(null) };
    const form = { method: "POST", body: new URLSearchParams({ action: "preferences" }) };
    const text = await pageOf(await ask(one.unsubscribeUrl, form, { current }));
    expect(text).toContain("can’t send email");
    expect(await one.mails()).toEqual([]);
  });
});

describe("the link shows nothing and does nothing", () => {
  const actions = ["save", "unsubscribeAll", "comeBack", "download", "askErase", "erase"];

  async function isDead(one: Awaited<ReturnType<typeof person>>, url: string, status: number) {
    const before = JSON.stringify([await one.row(), await one.activities()]);
    const answers = [await ask(url), ...(await Promise.all(actions.map((action) => post(url, { action }))))];
    for (const answer of answers) {
      const text = await pageOf(answer, status);
      expect(text).toContain("select “Change my details”");
      expect(text).not.toContain(one.email);
    }
    expect(JSON.stringify([await one.row(), await one.activities()])).toBe(before);
  }

  test("a day later, when its email was only stored, or after a change of address", async () => {
    const one = await person();
    await isDead(one, await one.asked(new Date(Date.now() - 1_000)), 410);
    const url = await one.asked();
    await app.db.mail.updateMany({
      where: { subscriberId: one.subscriberId, kind: "preferences" },
      data: { state: "logged", batchId: null, batchPosition: null },
    });
    await isDead(one, url, 410);
    const readdressed = await person();
    const old = await readdressed.asked();
    await readdressed.set({ email: "other@lovelace.org", emailCanonical: "other@lovelace.org" });
    await isDead(readdressed, old, 410);
  });

  test("with a token of another purpose, or of another kind of email", async () => {
    const one = await person();
    const token = app.links.confirmationUrl(one).split("/").at(-1);
    await isDead(one, `${APP_URL}/preferences/${token}`, 404);
    await isDead(one, app.links.preferencesUrl(one), 410);
  });
});

test("a POST without a known button changes nothing", async () => {
  const one = await person();
  const url = await one.asked();
  const before = JSON.stringify([await one.row(), await one.activities()]);
  const unknown: Record<string, string>[] = [{}, { action: "nonsense" }, { action: "constructor" }];
  for (const fields of unknown) await pageOf(await post(url, fields), 422);
  await pageOf(await post(url, { leave: newId() }));
  expect(JSON.stringify([await one.row(), await one.activities()])).toBe(before);
});

describe("details", () => {
  const types: [string, FieldType][] = [
    ["Town", "text"],
    ["Shoe", "number"],
    ["Born", "date"],
    ["Digest", "boolean"],
    ["Edition", "choice"],
  ];
  let own: Awaited<ReturnType<typeof addNewsletter>>;

  beforeAll(async () => {
    own = await addNewsletter(app.db);
    const ctx = { db: app.db, actor: { kind: "operator" }, requestId: "test" };
    for (const [label, type] of [...types, ["Hidden", "text"] as const]) {
      const isChoice = type === "choice";
      const choices = isChoice ? ["Print", "Digital"] : [];
      const field = { key: label.toLowerCase(), label, type, choices, required: isChoice };
      await createField(ctx as never, { ...ofNewsletter(own as never), field: field as never });
    }
    await saveSignUpPage(app.db, own.id, {
      fields: types.map(([label]) => label.toLowerCase()),
      asksName: false,
    });
  });

  const full = { 1: "Paris", 2: 41.5, 3: "1815-12-10", 4: true, 5: "Print", 6: "kept" };

  test("are those of the sign-up page; only changes are stored, by type, with the person in the timeline", async () => {
    const one = await person({}, own.id);
    await one.set({ firstName: "Ada", fields: full });
    const url = await one.asked();
    const inputs = inputsOf(await pageOf(await ask(url)));
    expect(inputs).toMatchObject({
      ...{ name: "Ada", "fields.town": "Paris", "fields.shoe": "41.5", "fields.born": "1815-12-10" },
      ...{ "fields.digest": "true", "fields.edition": "Print" },
    });
    expect(inputs).not.toHaveProperty("fields.hidden");
    await post(url, { ...inputs, action: "save" });
    expect(await one.row()).toMatchObject({ version: 1 });

    const { "fields.digest": _, ...unticked } = inputs;
    const changed = { ...unticked, name: " Ada  King ", "fields.shoe": "39,5", "fields.town": "" };
    const text = await pageOf(await post(url, { ...changed, action: "save" }));
    expect(text).toContain("Saved.");
    const { 1: __, ...rest } = full;
    expect(await one.row()).toMatchObject({
      ...{ firstName: "Ada", lastName: " King", fields: { ...rest, 2: 39.5, 4: false }, status: "active" },
    });
    expect(inputsOf(text)).toMatchObject({ "fields.shoe": "39.5", "fields.town": "" });
    const [activity] = await one.activities();
    expect(activity).toMatchObject({ type: "updated", by: { kind: "person" }, address: CALLER });
    expect(Object.keys(activity?.detail.changes ?? {}).sort()).toEqual([
      ...["fields.digest", "fields.shoe", "fields.town", "name"],
    ]);
  });

  test("show each error beside its input with the entered values; nothing is saved", async () => {
    const one = await person({}, own.id);
    const url = await one.asked();
    const inputs = inputsOf(await pageOf(await ask(url)));
    const wrong = {
      ...{ name: "Ada\u202e", "fields.town": "Lyon", "fields.shoe": "big", "fields.born": "1815-02-30" },
      "fields.edition": "Vellum",
    };
    const text = await pageOf(await post(url, { ...inputs, ...wrong, action: "save" }), 422);
    for (const said of [
      "Nothing is saved yet",
      "This contains a character",
      "Enter a number",
      "Enter a date",
    ])
      expect(text).toContain(said);
    expect(text.match(/aria-invalid="true"/g)).toHaveLength(4);
    expect(await one.row()).toMatchObject({ version: 1, firstName: "", fields: null });
    // The next save includes all changes.
    const again = { ...inputsOf(text), name: "Ada", "fields.shoe": "4", "fields.born": "1815-12-10" };
    await post(url, { ...again, "fields.edition": "Digital", action: "save" });
    expect(await one.row()).toMatchObject({
      ...{ firstName: "Ada", fields: { 1: "Lyon", 2: 4, 3: "1815-12-10", 5: "Digital" } },
    });
    // A field that the sign-up page requires can't be emptied.
    const filled = inputsOf(await pageOf(await ask(url)));
    await pageOf(await post(url, { ...filled, "fields.edition": "", action: "save" }), 422);
  });

  test("of an old page are not saved, and the page says so; a removed choice stays selected", async () => {
    const one = await person({}, own.id);
    await one.set({ firstName: "Ada", fields: full });
    const url = await one.asked();
    const old = inputsOf(await pageOf(await ask(url)));
    await one.set({ firstName: "Grace", fields: { ...full, 5: "Scroll" }, version: 2 });
    const text = await pageOf(await post(url, { ...old, "fields.shoe": "40", action: "save" }), 422);
    expect(text).toContain("changed elsewhere");
    expect(await one.row()).toMatchObject({ firstName: "Grace", fields: { ...full, 5: "Scroll" } });
    const now = inputsOf(text);
    expect(now).toMatchObject({ name: "Grace", "fields.edition": "Scroll" });
    await post(url, { ...now, "fields.town": "Oslo", action: "save" });
    expect(await one.row()).toMatchObject({ fields: { ...full, 1: "Oslo", 5: "Scroll" } });
  });

  test("are only the name while the sign-up page is off", async () => {
    await saveSignUpPage(app.db, own.id, { isOn: false });
    const one = await person({}, own.id);
    await one.set({ fields: full });
    const url = await one.asked();
    const inputs = inputsOf(await pageOf(await ask(url)));
    expect(Object.keys(inputs)).toEqual(["name", "version", "email"]);
    await post(url, { ...inputs, "fields.town": "Oslo", name: "A", action: "save" });
    expect(await one.row()).toMatchObject({ firstName: "A", fields: full });
  });
});

describe("another address", () => {
  /** A person who entered one, and the link that would be mailed there. */
  async function entered(email: string, options: Parameters<typeof person>[0] = {}) {
    const one = await person(options);
    const url = await one.asked();
    const answer = await pageOf(await post(url, { action: "address", email }));
    const mails = () =>
      app.db.mail.findMany({ where: { subscriberId: one.subscriberId, kind: "new_address" } });
    const linkOf = async (expiresAt = new Date(Date.now() + DAY_MS)) => {
      const mail = (await mails()).at(-1);
      if (!mail) throw new Error("no mail was written");
      await markSent(mail.id);
      const { newsletterId, subscriberId } = one;
      return app.links.newAddressUrl({ newsletterId, subscriberId, mailId: mail.id, expiresAt });
    };
    return { ...one, url, answer, newMails: mails, linkOf };
  }

  test("is used after the button in its email; links to the old address stop working", async () => {
    const one = await entered("new@lovelace.org");
    const link = await one.linkOf();
    const before = await one.row();
    for (const method of ["GET", "HEAD"]) expect((await ask(link, { method })).status).toBe(200);
    await pageOf(await post(link, {}), 422);
    expect(await one.row()).toEqual(before);
    expect(await pageOf(await post(link, { action: "useAddress" }))).toContain(
      "is now <b>new@lovelace.org</b>",
    );
    expect(await one.row()).toMatchObject({ email: "new@lovelace.org", status: "active", version: 2 });
    const [activity] = await one.activities();
    expect(activity).toMatchObject({
      ...{ type: "updated", by: { kind: "person" }, address: CALLER },
      detail: { changes: { email: { from: one.email, to: "new@lovelace.org" } } },
    });
    await pageOf(await ask(one.url), 410);
    expect(await pageOf(await post(link, { action: "useAddress" }))).toContain(
      "is now <b>new@lovelace.org</b>",
    );
    expect(await one.row()).toMatchObject({ version: 2 });
  });

  test("that is on the list or suppressed gets the same answer, and no email", async () => {
    const known = await person();
    await suppressAddress(app.db, newsletter.id, { email: "denied@lovelace.org", reason: "denied" });
    const fresh = await entered("fresh@lovelace.org");
    const seen = ({ answer, email }: typeof fresh) =>
      answer.replaceAll(email, "").replaceAll(/value="[\w-]{16,36}"/g, "");
    for (const email of [known.email, "denied@lovelace.org"]) {
      const one = await entered(email);
      expect(seen(one)).toBe(seen(fresh));
      expect(await one.newMails()).toEqual([]);
    }
    expect(await fresh.newMails()).toHaveLength(1);
  });

  test("that is invalid is shown with its error; one a minute gets an email", async () => {
    const one = await entered("first@lovelace.org");
    await post(one.url, { action: "address", email: "second@lovelace.org" });
    expect(await one.newMails()).toMatchObject([{ toEmail: "first@lovelace.org" }]);
    const text = await pageOf(await post(one.url, { action: "address", email: '"><i>@x' }), 422);
    expect(text).toContain('value="&quot;&gt;&lt;i&gt;@x"');
    expect(text).toContain('aria-describedby="email-wrong"');
  });

  test("is not used after the link expired, the person's address changed or another person took it", async () => {
    const late = await entered("late@lovelace.org");
    const moved = await entered("moved@lovelace.org");
    const taken = await entered("taken@lovelace.org");
    const links = [
      await late.linkOf(new Date(Date.now() - 1_000)),
      await moved.linkOf(),
      await taken.linkOf(),
      app.links.newAddressUrl(late),
    ];
    await moved.set({ email: "elsewhere@lovelace.org", emailCanonical: "elsewhere@lovelace.org" });
    await person({ email: "taken@lovelace.org" });
    for (const link of links) await pageOf(await post(link, { action: "useAddress" }), 410);
    expect((await late.row())?.email).toBe(late.email);
    expect((await moved.row())?.email).toBe("elsewhere@lovelace.org");
    expect((await taken.row())?.email).toBe(taken.email);
  });
});

test("people unsubscribe from one newsletter or all of the account, and resubscribe", async () => {
  const sisters = [
    await addNewsletter(app.db, { accountId: newsletter.accountId, name: "Daily" }),
    await addNewsletter(app.db, { accountId: newsletter.accountId, name: "Yearly" }),
  ];
  const strangers = await addNewsletter(app.db, { name: "Strangers" });
  const email = "sofia@kovalevskaya.org";
  const one = await person({ email });
  const daily = await person({ email }, sisters[0]?.id);
  await person({ email }, sisters[1]?.id);
  const elsewhere = await person({ email }, strangers.id);
  const url = await one.asked();
  const shown = await pageOf(await ask(url));
  expect(shown).toMatch(/Weekly.*Daily.*Yearly/s);
  expect(shown).not.toContain("Strangers");
  expect(shown.match(/name="leave"/g)).toHaveLength(3);

  await post(url, { leave: strangers.id });
  expect(await elsewhere.row()).toMatchObject({ status: "active" });
  await post(url, { leave: sisters[0]?.id as string });
  expect(await daily.row()).toMatchObject({ status: "unsubscribed" });
  const [left] = await daily.activities();
  expect(left).toMatchObject({ type: "unsubscribed", by: { kind: "person" }, address: CALLER });
  const text = await pageOf(await post(url, { action: "unsubscribeAll" }));
  expect(text).not.toContain('name="leave"');
  expect(await elsewhere.row()).toMatchObject({ status: "active" });
  await post(url, { action: "comeBack" });
  expect(await one.row()).toMatchObject({ status: "pending" });
});

test("the download has all data about the person but no staff member, and the audit log records it", async () => {
  const one = await person({ email: "mary@somerville.org" });
  const actor = { kind: "staff", id: newId(), address: "198.51.100.9" };
  const id = one.subscriberId;
  await app.db.subscriberEvent.create({
    data: {
      ...{ id: newId(), newsletterId: newsletter.id, subscriberId: id, kind: "changed" },
      ...{ actorKind: actor.kind, actorId: actor.id, address: actor.address, detail: { name: ["", "Mary"] } },
    },
  });
  await one.set({ firstName: "Mary" });
  const url = await one.asked();
  const answer = await post(url, { action: "download" });
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "content-disposition": 'attachment; filename="my-data.json"',
    "cache-control": "no-store",
  });
  const text = await answer.text();
  expect(JSON.parse(text)).toMatchObject({
    newsletter: "Weekly",
    person: { id, email: one.email, name: "Mary", status: "active", fields: {}, tags: [] },
    activities: expect.arrayContaining([
      expect.objectContaining({ type: "updated", by: "staff", address: null }),
      expect.objectContaining({ type: "created" }),
    ]),
    mails: [
      { kind: "confirmation", to: one.email },
      { kind: "preferences", to: one.email },
    ],
  });
  for (const secret of [actor.address, actor.id, "/preferences/", "canonical"])
    expect(text).not.toContain(secret);
  expect(
    await app.db.auditEntry.findFirst({ where: { subjectId: id, action: "subscriber.exported" } }),
  ).toMatchObject({ actorKind: "link", address: CALLER });
});

test("erasing asks first, then leaves only a digest of the address, and every link stops working", async () => {
  const one = await person();
  const url = await one.asked();
  const asked = await pageOf(await post(url, { action: "askErase" }));
  expect(asked).toContain("Erase everything?");
  expect(asked).toContain(one.email);
  expect(await one.row()).not.toBeNull();
  expect(await pageOf(await post(url, { action: "erase" }))).toContain("was erased");
  expect(await one.row()).toBeNull();
  expect([
    await one.mails(),
    await app.db.subscriberEvent.count({ where: { subscriberId: one.subscriberId } }),
  ]).toEqual([[], 0]);
  expect(await app.db.suppression.findFirst({ orderBy: { id: "desc" } })).toMatchObject({
    ...{ reason: "manual", source: "person", email: null },
  });
  for (const link of [url, one.unsubscribeUrl]) await pageOf(await ask(link), 410);
});

test("pages and errors are in the newsletter's language", async () => {
  const { preferences, pages, buttons } = messagesFor("de");
  const one = await person({}, (await addNewsletter(app.db, { language: "de" })).id);
  expect(await pageOf(await ask(one.unsubscribeUrl))).toContain(buttons.preferences);
  const url = await one.asked();
  const said = async (fields: Record<string, string>, status = 200) =>
    pageOf(await post(url, fields), status);
  expect(await said({ action: "address", email: "new@lovelace.org" })).toContain(preferences.addressAsked);
  expect(await said({ action: "address", email: "x" }, 422)).toContain(preferences.wrong);
  expect(await said({ action: "askErase" })).toContain(preferences.eraseNow);
  expect(await said({ action: "erase" })).toContain(pages.preferencesErased.lead);
});
