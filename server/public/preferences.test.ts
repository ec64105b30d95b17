import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startFakeResend } from "../../e2e/fixtures/fake-resend";
import { type AppContext, createApp } from "../app";
import { loadConfig } from "../config";
import { newId } from "../kernel/ids";
import { makeLog } from "../kernel/log";
import { DAY_MS } from "../kernel/time";
import { getMail } from "../mail-log/mails";
import { defaultWordings } from "../sign-up/schema/sign-up-page";
import { saveSignUpSettings } from "../sign-up/sign-up-page";
import type { FieldType } from "../subscribers/field-values";
import { createField } from "../subscribers/fields";
import { listActivities } from "../subscribers/timeline";
import { createTestDatabase, type TestDatabase } from "../test/database";
import { startDelivery } from "../test/delivery-fixture";
import { addLinkedPerson, addNewsletter, suppressAddress } from "../test/linked-person";
import { mailedBy, quick } from "../test/mail-fixture-values";
import { handlePublic } from "./handler";
import { allMessages } from "./pages/messages";

const APP_URL = "https://list.example.org";
const CALLER = "203.0.113.7";

let database: TestDatabase;
let app: AppContext;
let newsletter: Awaited<ReturnType<typeof addNewsletter>>;

const open = (settings: Record<string, string> = {}) => {
  const config = loadConfig({ LOG_LEVEL: "silent", APP_URL, ...settings });
  return createApp(config, database.url, ["a secret for tests that is long enough"], makeLog(config));
};
beforeAll(async () => {
  database = await createTestDatabase();
  app = await open({ RESEND_API_KEY: "re_test", MAIL_FROM: "Weekly <hello@weekly.org>" });
  newsletter = await addNewsletter(app.db);
});
beforeEach(() => app.db.$executeRaw`DELETE FROM mail_throttle`);
afterAll(async () => {
  await app.close();
  await database.drop();
});

const ask = (url: string, init?: RequestInit) => handlePublic(app, new Request(url, init), CALLER);
const post = (url: string, fields: Record<string, string>) =>
  ask(url, { method: "POST", body: new URLSearchParams(fields) });

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
    const sent = { state: "sent", batchId: newId(), batchPosition: 0, subject: "", html: "", text: "" };
    await app.db.mail.update({ where: { id: mail.id }, data: sent });
    return app.links.preferencesUrl({ newsletterId, subscriberId, mailId: mail.id, expiresAt });
  };
  return {
    ...claims,
    mails,
    asked,
    unsubscribeUrl,
    row: () => app.db.subscriber.findFirst({ where: { newsletterId, id: subscriberId } }),
    activities: async () =>
      (await listActivities(app, { newsletterId, id: subscriberId }, { limit: 20, after: null })).items,
    set: (data: object) =>
      app.db.subscriber.update({ where: { newsletterId_id: { newsletterId, id: subscriberId } }, data }),
  };
}

async function pageOf(answer: Response, status = 200): Promise<string> {
  const text = await answer.text();
  expect([answer.status, text.slice(0, 15)]).toEqual([status, "<!doctype html>"]);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
  expect(answer.headers.get("set-cookie")).toBeNull();
  return text;
}

describe("the link is mailed", () => {
  test("to who presses the button on the page of the unsubscribe link, which shows nothing of them: it opens the page that does", async () => {
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
    expect(text).not.toMatch(/ada|Lovelace|<button/i);
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

  test("once a minute and three times a day to one person, over spellings and newsletters; the answer is the same", async () => {
    const sister = await addNewsletter(app.db, { accountId: newsletter.accountId });
    const one = await person({ email: "emmy@gmail.com" });
    const same = await person({ email: "e.m.my+x@gmail.com" }, sister.id);
    const press = async (who: typeof one) =>
      (await pageOf(await post(who.unsubscribeUrl, { action: "preferences" }))).replace(/\s/g, "");
    const first = await press(one);
    expect(await press(one)).toBe(first);
    await press(same);
    const written = async () => [(await one.mails()).length, (await same.mails()).length];
    expect(await written()).toEqual([1, 0]);
    const pass = () =>
      app.db
        .$executeRaw`UPDATE mail_throttle SET allowed_at = (SELECT array_agg(at - interval '61 s') FROM unnest(allowed_at) AS at)`;
    for (const who of [same, one, one, same]) {
      await pass();
      await press(who);
    }
    expect(await written()).toEqual([2, 1]);
    await app.db.$executeRaw`UPDATE mail_throttle SET allowed_at = ARRAY[now() - interval '25 hours']`;
    await press(one);
    expect(await written()).toEqual([3, 1]);
  });

  test.each(["active", "pending", "unsubscribed"] as const)("to who is %s", async (status) => {
    const one = await person({ status });
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

  test("to an address that staff suppressed; to nobody while no mail leaves, and it says so", async () => {
    const one = await person({ status: "unsubscribed" });
    await suppressAddress(app.db, newsletter.id, { email: one.email, reason: "manual" });
    await one.asked();
    const unmailed = await open();
    const request = new Request(one.unsubscribeUrl, {
      method: "POST",
      body: new URLSearchParams({ action: "preferences" }),
    });
    expect(await (await handlePublic(unmailed, request, CALLER)).text()).toContain("can’t send email");
    await unmailed.close();
    expect(await one.mails()).toHaveLength(1);
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

  test("a day later, where its mail only stayed here, or after another address", async () => {
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

  test("with a bit changed, or a token of another purpose", async () => {
    const one = await person();
    const url = await one.asked();
    const tokenOf = (link: string) => link.slice(link.lastIndexOf("/") + 1);
    const token = tokenOf(url);
    for (const wrong of [
      token.slice(0, 40),
      `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`,
      tokenOf(app.links.confirmationUrl(one)),
      tokenOf(one.unsubscribeUrl),
      "x",
    ])
      await isDead(one, `${APP_URL}/preferences/${wrong}`, 404);
    expect((await ask(`${APP_URL}/confirm/${token}`)).status).toBe(404);
    expect((await ask(`${APP_URL}/unsubscribe/${token}`)).status).toBe(404);
    // The token of a confirmation email with a valid signature.
    await isDead(one, app.links.preferencesUrl(one), 410);
  });
});

test("GET and HEAD show the page and change nothing; a post without a button decides nothing", async () => {
  const one = await person();
  const url = await one.asked();
  const before = JSON.stringify([await one.row(), await one.activities()]);
  for (const query of ["", "?action=erase", "?leave=x", "?action=download"]) {
    await pageOf(await ask(`${url}${query}`));
    const head = await ask(`${url}${query}`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  }
  for (const fields of [{}, { action: "nonsense" }, { action: "constructor" }])
    await pageOf(await post(url, fields as never), 422);
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

  const turn = (isOn: boolean) =>
    saveSignUpSettings(
      {
        db: app.db,
        actor: { kind: "staff", id: newId(), accountId: own.accountId, role: "editor" },
        requestId: "test",
      },
      { ...own, name: "Weekly", language: "en" },
      {
        version: isOn ? 0 : 1,
        settings: {
          ...{ isOn, title: "", introduction: "", wording: defaultWordings.en, asksName: false },
          fields: types.map(([label]) => label.toLowerCase()),
        },
      },
    );
  beforeAll(async () => {
    own = await addNewsletter(app.db);
    const actor = { kind: "staff", id: newId(), accountId: own.accountId, role: "owner" } as const;
    for (const [label, type] of [...types, ["Hidden", "text"] as const])
      await createField(
        { db: app.db, actor, requestId: "test" } as never,
        own as never,
        {
          key: label.toLowerCase(),
          label,
          type,
          choices: type === "choice" ? ["Print", "Digital"] : [],
          required: type === "choice",
        } as never,
      );
    await turn(true);
  });

  const full = { 1: "Paris", 2: 41.5, 3: "1815-12-10", 4: true, 5: "Print", 6: "kept" };

  test("are those of the sign-up page; only what was changed is written, typed, with the person in the timeline", async () => {
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

  test("that are wrong stand beside their error, with all that was typed, and nothing is saved", async () => {
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
    // The form still holds the first digests, so the next save includes all changes.
    const again = { ...inputsOf(text), name: "Ada", "fields.shoe": "4", "fields.born": "1815-12-10" };
    await post(url, { ...again, "fields.edition": "Digital", action: "save" });
    expect(await one.row()).toMatchObject({
      ...{ firstName: "Ada", fields: { 1: "Lyon", 2: 4, 3: "1815-12-10", 5: "Digital" } },
    });
    // A field that the sign-up page requires can't be emptied.
    const filled = inputsOf(await pageOf(await ask(url)));
    await pageOf(await post(url, { ...filled, "fields.edition": "", action: "save" }), 422);
  });

  test("of an old tab undo nothing newer; a choice that is no longer offered stays", async () => {
    const one = await person({}, own.id);
    await one.set({ firstName: "Ada", fields: full });
    const url = await one.asked();
    const old = inputsOf(await pageOf(await ask(url)));
    await one.set({ firstName: "Grace", fields: { ...full, 1: "Rome", 5: "Scroll" } });
    await post(url, { ...old, "fields.shoe": "40", action: "save" });
    expect(await one.row()).toMatchObject({
      ...{ firstName: "Grace", fields: { ...full, 1: "Rome", 2: 40, 5: "Scroll" } },
    });
    const now = inputsOf(await pageOf(await ask(url)));
    expect(now).toMatchObject({ name: "Grace", "fields.edition": "Scroll" });
    await post(url, { ...now, "fields.town": "Oslo", action: "save" });
    expect(await one.row()).toMatchObject({ fields: { ...full, 1: "Oslo", 2: 40, 5: "Scroll" } });
  });

  test("that are HTML are text", async () => {
    const one = await person({}, own.id);
    const evil = `"><script>alert(1)</script>`;
    await one.set({ firstName: evil, fields: { 1: evil, 5: evil } });
    const url = await one.asked();
    for (const answer of [await ask(url), await post(url, { action: "askErase" })])
      expect(await pageOf(answer)).not.toMatch(/<script/);
    const inputs = inputsOf(await pageOf(await ask(url)));
    expect(inputs).toMatchObject({ name: evil, "fields.town": evil, "fields.edition": evil });
    await post(url, { ...inputs, name: "<b>x</b>", action: "save" });
    expect(await one.row()).toMatchObject({ firstName: "<b>x</b>", fields: { 1: evil, 5: evil } });
  });

  test("are the name alone where the sign-up page is off", async () => {
    await turn(false);
    const one = await person({}, own.id);
    await one.set({ fields: full });
    const url = await one.asked();
    const inputs = inputsOf(await pageOf(await ask(url)));
    expect(Object.keys(inputs)).toEqual(["name", "shown.name", "email"]);
    await post(url, {
      ...inputs,
      "fields.town": "Oslo",
      "shown.fields.town": "x",
      name: "A",
      action: "save",
    });
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
      const sent = { state: "sent", batchId: newId(), batchPosition: 0, subject: "", html: "", text: "" };
      await app.db.mail.update({ where: { id: mail.id }, data: sent });
      const { newsletterId, subscriberId } = one;
      return app.links.newAddressUrl({ newsletterId, subscriberId, mailId: mail.id, expiresAt });
    };
    return { ...one, url, answer, newMails: mails, linkOf };
  }

  test("is theirs when the button is pressed in the mail that went there; the links to the old one are dead", async () => {
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
    expect(await pageOf(await post(link, { action: "useAddress" }))).toContain("now");
    expect(await one.row()).toMatchObject({ version: 2 });
  });

  test("that is on the list or suppressed gets the same answer, and no mail", async () => {
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

  test("that is none stands beside its error; one a minute is asked", async () => {
    const one = await entered("first@lovelace.org");
    await post(one.url, { action: "address", email: "second@lovelace.org" });
    expect(await one.newMails()).toMatchObject([{ toEmail: "first@lovelace.org" }]);
    const text = await pageOf(await post(one.url, { action: "address", email: '"><i>@x' }), 422);
    expect(text).toContain('value="&quot;&gt;&lt;i&gt;@x"');
    expect(text).toContain('aria-describedby="email-wrong"');
  });

  test("is not used by a link that expired, nor when theirs changed or somebody else has it meanwhile", async () => {
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
    // Each link works only for its own purpose.
    const token = (await moved.asked()).split("/").at(-1);
    expect(app.links.readNewAddress(token as string).ok).toBe(false);
  });
});

test("newsletters: leaving one, leaving all of the account, coming back, each by the person", async () => {
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

test("data: a file with all that is kept of the person, without who of the staff did what; it is noted", async () => {
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

test("erase: asked first, then all is gone but the digest, the page says so, and every link is dead", async () => {
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
  await pageOf(await post(url, { action: "erase" }), 410);
  await pageOf(await ask(url), 410);
  await pageOf(await ask(one.unsubscribeUrl), 410);
  await pageOf(await post(one.unsubscribeUrl, { action: "preferences" }), 410);
});

test.each(allMessages)("$lang: mail, pages and errors are in the newsletter's language", async (messages) => {
  const { lang, preferences, pages, buttons } = messages;
  const its = await addNewsletter(app.db, { language: lang });
  const one = await person({}, its.id);
  expect(await pageOf(await ask(one.unsubscribeUrl))).toContain(buttons.preferences);
  const url = await one.asked();
  const said = async (fields: Record<string, string>, status = 200) =>
    pageOf(await post(url, fields), status);
  const page = await said({ action: "comeBack" });
  for (const words of [preferences.details, preferences.address, preferences.newsletters, preferences.data])
    expect(page).toContain(words);
  const shown = inputsOf(page)["shown.name"] as string;
  expect(await said({ action: "save", "shown.name": shown, name: "\u0000" }, 422)).toContain(
    preferences.wrong,
  );
  const email = `new-${lang}@lovelace.org`;
  expect(await said({ action: "address", email })).toContain(preferences.addressAsked);
  expect(await said({ action: "askErase" })).toContain(preferences.eraseNow);
  expect(await said({ action: "erase" })).toContain(pages.preferencesErased.lead);
  const answer = await ask(url, { headers: { "accept-language": lang } });
  expect(await pageOf(answer, 410)).toContain(pages.preferencesOver.lead);
});
