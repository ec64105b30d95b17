import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { ofNewsletter } from "../accounts/context";
import { newId } from "../kernel/ids";
import { languages } from "../kernel/languages";
import { HOUR_MS } from "../kernel/time";
import { defaultWordings, signUpFormMs } from "../sign-up/schema/sign-up-page";
import type { SignUpSettings } from "../sign-up/schema/sign-up-settings";
import { createField } from "../subscribers/fields";
import { listActivities } from "../subscribers/timeline";
import { addLinkedPerson, addNewsletter, suppressAddress } from "../test/linked-person";
import { mailedBy } from "../test/mail-fixture-values";
import { APP_URL, app, ask, CALLER, database, openApp, openAppForTests, pageOf } from "../test/public-pages";
import { saveSignUpPage } from "../test/sign-up-fixture";
import { messagesFor } from "./pages/messages";

const allMessages = languages.map(messagesFor);

const SETTINGS = {
  RESEND_API_KEY: "re_test",
  MAIL_FROM: "Weekly <hello@weekly.org>",
  RATE_LIMIT_SIGN_UP: "off",
};
openAppForTests(SETTINGS);
vi.setConfig({ testTimeout: 60_000 });

type Newsletter = { id: string; accountId: string; name: string; language: string };

const operator = () => ({ db: app.db, actor: { kind: "operator" } as const, requestId: "test" });

/** A newsletter with a sign-up page. */
async function furnish(settings: Partial<SignUpSettings> = {}, language = "en") {
  const newsletter = (await addNewsletter(app.db, { name: "Weekly", language })) as Newsletter;
  await saveSignUpPage(app.db, newsletter.id, settings);
  const url = `${APP_URL}/s/${newsletter.id}`;
  const people = () => app.db.subscriber.findMany({ where: { newsletterId: newsletter.id } });
  const mails = () => app.db.mail.findMany({ where: { newsletterId: newsletter.id } });
  const events = () =>
    app.db.subscriberEvent.findMany({ where: { newsletterId: newsletter.id }, orderBy: { id: "asc" } });
  const all = async () => [await people(), await mails(), await events()];
  return { newsletter, url, people, mails, events, all };
}

/** Returns a form's signed time of this age. */
const timeOf = ({ id }: { id: string }, ageMs = signUpFormMs.least + 1_000) =>
  app.links.signUpTime(id, Date.now() - ageMs);

type Fields = Record<string, string>;
const post = (
  { newsletter, url }: { newsletter: Newsletter; url: string },
  fields: Fields,
  headers: Record<string, string> = {},
) =>
  ask(url, { method: "POST", headers, body: new URLSearchParams({ time: timeOf(newsletter), ...fields }) });

/** Returns everything in an answer that a visitor sees, except the request's own id. */
async function seen(response: Response) {
  const { "x-request-id": _, ...headers } = Object.fromEntries(response.headers);
  return { status: response.status, headers, body: await response.text() };
}

const SENT = "You get an email with a button";

describe("the page", () => {
  test("shows the newsletter's texts and inputs; opening it signs up no one", async () => {
    const page = await furnish();
    const filled = `${page.url}?email=ada@lovelace.org&time=${timeOf(page.newsletter)}`;
    const text = await pageOf(await ask(filled));
    for (const part of ["Weekly", "Letters about engines.", defaultWordings.en, 'name="email"'])
      expect(text).toContain(part);
    expect(await page.all()).toEqual([[], [], []]);
  });

  test.each([
    ["off", async () => (await furnish({ isOn: false })).url],
    ["of a newsletter that set none up", async () => `${APP_URL}/s/${(await addNewsletter(app.db)).id}`],
    ["of no newsletter", async () => `${APP_URL}/s/${newId()}`],
    ["of what is no id", async () => `${APP_URL}/s/x%ff%00`],
  ])("%s is not found, by GET and POST", async (_, urlOf) => {
    const url = await urlOf();
    expect(await pageOf(await ask(url), 404)).toContain("This sign-up page is not available");
    const body = new URLSearchParams({ email: "ada@lovelace.org" });
    await pageOf(await ask(url, { method: "POST", body }), 404);
    for (const part of ["/time", "/form.js"]) expect((await ask(`${url}${part}`)).status).toBe(404);
  });

  test.each(allMessages)("is complete in $lang, and under 30 kB with the font", async (messages) => {
    const { lang, signUp, pages } = messages;
    const page = await furnish({ title: "<script>" }, lang);
    const text = await pageOf(await ask(page.url));
    expect(text).toContain(`<html lang="${lang}"`);
    expect(text).toContain(`>${signUp.submit}</button>`);
    expect(Buffer.byteLength(text)).toBeLessThan(13_000);
    expect(text).not.toMatch(/<script|\son\w+=|javascript:/i);
    expect(await pageOf(await post(page, { email: "x" }), 422)).toContain(signUp.errors.email);
    const done = await pageOf(await post(page, { email: "ada@lovelace.org" }));
    expect(done).toContain(pages.signedUp.lead);
  });
});

describe("a sign-up", () => {
  test("adds a pending person with their agreement, and sends a confirmation email", async () => {
    const page = await furnish();
    const answer = await post(page, { email: " Ada@Lovelace.org ", name: "Ada Lovelace" });
    expect(await pageOf(answer)).toContain(SENT);
    const [person] = await page.people();
    expect(person).toMatchObject({
      email: "Ada@Lovelace.org",
      emailCanonical: "ada@lovelace.org",
      firstName: "Ada",
      lastName: "Lovelace",
      status: "pending",
      source: "public",
      sourceId: null,
    });
    expect(await page.mails()).toMatchObject([
      { kind: "confirmation", state: "waiting", subscriberId: person?.id },
    ]);
    const { items: records } = await listActivities(app, {
      newsletterId: page.newsletter.id,
      id: person?.id as string,
      limit: 10,
      after: null,
    });
    expect(records.at(-1)).toMatchObject({
      type: "created",
      by: { kind: "page", id: null },
      address: CALLER,
      detail: { agreed: { wording: defaultWordings.en, version: 1, page: page.url, from: null } },
    });
    expect(records.at(-1)?.detail.evidence).toBeUndefined();
  });

  test("gets the same bytes for every address, and changes no existing name", async () => {
    const page = await furnish();
    const newsletterId = page.newsletter.id;
    const add = async (status: "active" | "pending" | "unsubscribed") =>
      (await addLinkedPerson(app.db, newsletterId, { status })).email;
    const bounced = await add("unsubscribed");
    const addresses = {
      new: "new@lovelace.org",
      pending: await add("pending"),
      active: await add("active"),
      unsubscribed: await add("unsubscribed"),
      suppressed: "denied@lovelace.org",
      bounced,
    };
    for (const [email, reason] of [
      ["denied@lovelace.org", "denied"],
      [bounced, "bounced"],
    ] as const)
      await suppressAddress(app.db, newsletterId, { email, reason });
    const before = await page.people();
    const answers = await Promise.all(
      Object.values(addresses).map(async (email) => seen(await post(page, { email, name: "Eve" }))),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 200, body: expect.stringContaining(SENT) });

    const after = await page.people();
    const now = (email: string) => after.find((one) => one.email === email);
    const then = (email: string) => before.find((one) => one.email === email);
    expect(now(addresses.new)).toMatchObject({ status: "pending", firstName: "Eve" });
    // Pending people are mailed and keep their names. Unsubscribed people become pending until they confirm.
    expect(now(addresses.pending)).toEqual(then(addresses.pending));
    expect(now(addresses.active)).toEqual(then(addresses.active));
    expect(now(addresses.unsubscribed)).toMatchObject({
      status: "pending",
      firstName: "",
      unsubscribedAt: then(addresses.unsubscribed)?.unsubscribedAt,
    });
    expect(now(addresses.suppressed)).toBeUndefined();
    expect(now(bounced)).toEqual(then(bounced));
    const waiting = (await page.mails()).filter(({ state }) => state === "waiting");
    expect(waiting.map(({ toEmail }) => toEmail).sort()).toEqual(
      [addresses.new, addresses.pending, addresses.unsubscribed].sort(),
    );
    const kinds = (await page.events()).map(({ kind, actorKind }) => `${kind} ${actorKind}`).sort();
    expect(kinds).toEqual(["created page", "signed_up page", "signed_up page", "status.pending page"]);
  });

  test("of an inline form gets the same answer for all, readable by any site without cookies", async () => {
    const page = await furnish();
    const { email: active } = await addLinkedPerson(app.db, page.newsletter.id, { status: "active" });
    const headers = { Accept: "application/json", Origin: "https://shop.example" };
    const answers = await Promise.all(
      ["new@lovelace.org", active].map(async (email) => seen(await post(page, { email }, headers))),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.headers).toMatchObject({
      "access-control-allow-origin": "*",
      "cache-control": "no-store",
    });
    expect(answers[0]?.headers).not.toHaveProperty("access-control-allow-credentials");
    expect(JSON.parse(answers[0]?.body ?? "")).toMatchObject({
      status: "done",
      message: expect.stringContaining(SENT),
    });
    const created = (await page.events()).find(({ kind }) => kind === "created");
    expect(created?.evidence).toMatchObject({ agreed: { from: "https://shop.example" } });
  });

  test("of 20 requests at once with one address stores one person and one email", async () => {
    const page = await furnish();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(page, { email: "ada@lovelace.org" })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect([(await page.people()).length, (await page.mails()).length]).toEqual([1, 1]);
  });

  test("without a mail provider promises no email", async () => {
    const page = await furnish();
    const body = new URLSearchParams({ email: "ada@lovelace.org", time: timeOf(page.newsletter) });
    const current = { ...app, mailService: mailedBy(null) };
    const answer = await ask(page.url, { method: "POST", body }, { current });
    expect(await pageOf(answer)).toContain("can’t send email at the moment");
    expect(await page.people()).toHaveLength(1);
  });
});

describe("an address with a mistyped domain", () => {
  const typed = { email: "Ada@gmial.com", name: "Ada" };
  const answered = { ...typed, asked: typed.email };
  const emails = async (page: Awaited<ReturnType<typeof furnish>>) =>
    (await page.people()).map(({ email }) => email);

  test("is questioned once, before anything is stored", async () => {
    const page = await furnish();
    const text = await pageOf(await post(page, typed));
    for (const part of [
      "Did you mean Ada@gmail.com?",
      'value="Ada@gmial.com"',
      '<input type="hidden" name="name" value="Ada"/>',
      "Keep my address",
    ])
      expect(text).toContain(part);
    expect(await page.all()).toEqual([[], [], []]);
    expect(await pageOf(await post(page, answered))).toContain(SENT);
    expect(await emails(page)).toEqual(["Ada@gmial.com"]);
  });

  test.each([
    ["is replaced by one press", { ...answered, corrected: "yes" }, ["Ada@gmail.com"]],
    [
      "counts as it was changed",
      { ...answered, email: "ada@lovelace.org", corrected: "yes" },
      ["ada@lovelace.org"],
    ],
    ["is questioned again after another slip", { ...answered, email: "ada@gamil.com", corrected: "yes" }, []],
  ])("%s", async (_, fields, stored) => {
    const page = await furnish();
    await post(page, fields);
    expect(await emails(page)).toEqual(stored);
  });

  test("is questioned in place only in forms that know the question", async () => {
    const page = await furnish({}, "de");
    const json = async (fields: Fields) =>
      (await post(page, fields, { Accept: "application/json" })).json() as Promise<Fields>;
    expect(await json({ ...typed, asked: "" })).toMatchObject({
      status: "check",
      message: expect.stringContaining("Meinten Sie Ada@gmail.com?"),
      use: "Mit Ada@gmail.com abonnieren",
      email: "Ada@gmail.com",
    });
    expect(await emails(page)).toEqual([]);
    expect((await json(typed)).status).toBe("done");
    expect(await emails(page)).toEqual(["Ada@gmial.com"]);
  });
});

test("a filled-in honeypot gets the same answer no sooner, and nothing is stored", async () => {
  const page = await furnish();
  const person = await seen(await post(page, { email: "ada@lovelace.org" }));
  // Faster answers would reveal what was not stored.
  const began = performance.now();
  const program = await seen(await post(page, { email: "bot@lovelace.org", website: "https://x.example" }));
  expect(performance.now() - began).toBeGreaterThan(290);
  expect(program).toEqual(person);
  expect((await page.people()).map(({ email }) => email)).toEqual(["ada@lovelace.org"]);
});

describe("the signed time", () => {
  const typed = { email: "ada@lovelace.org", name: 'Ada "Countess" <Lovelace>' };

  test.each<[string, (newsletter: Newsletter) => string]>([
    ["no time", () => ""],
    ["another newsletter's time", () => timeOf({ id: newId() })],
    ["a time of just now", (newsletter) => timeOf(newsletter, 500)],
    ["a time of yesterday", (newsletter) => timeOf(newsletter, 24 * HOUR_MS + 1_000)],
    ["a time of tomorrow", (newsletter) => timeOf(newsletter, -HOUR_MS)],
  ])("%s: the page keeps the input and asks to submit again", async (what, time) => {
    const page = await furnish();
    const before = Date.now();
    const text = await pageOf(await post(page, { ...typed, time: time(page.newsletter) }));
    expect(text).toContain(">Submit again</button>");
    expect(text).toContain('value="ada@lovelace.org"');
    expect(text).toContain('value="Ada &quot;Countess&quot; &lt;Lovelace&gt;"');
    expect(await page.all()).toEqual([[], [], []]);
    const fresh = /name="time" value="([\w-]+)"/.exec(text)?.[1] ?? "";
    expect(app.links.readSignUpTime(page.newsletter.id, fresh)).toBeGreaterThanOrEqual(before);
    if (what !== "no time") return;
    await sleep(signUpFormMs.least);
    await pageOf(await post(page, { ...typed, time: fresh }));
    expect(await page.people()).toMatchObject([{ email: "ada@lovelace.org", firstName: "Ada" }]);
  });

  test("is given to the forms of any site", async () => {
    const page = await furnish();
    const answer = await ask(`${page.url}/time`);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    const { time } = (await answer.json()) as { time: string };
    expect(app.links.readSignUpTime(page.newsletter.id, time)).toBeLessThanOrEqual(Date.now());
    const soon = await post(page, { ...typed, time }, { Accept: "application/json" });
    expect(await soon.json()).toMatchObject({ status: "again", time: expect.any(String) });
  });

  test("of a form on another site is requested by the page, which remembers the other site", async () => {
    const page = await furnish();
    const text = await pageOf(
      await post(page, { ...typed, time: "" }, { Referer: "https://shop.example/letters?a=1#b" }),
      200,
    );
    const from = /name="from" value="([^"]+)"/.exec(text)?.[1] ?? "";
    expect(from).toBe("https://shop.example/letters");
    await post(page, { ...typed, from });
    await post(page, { ...typed, email: "bob@lovelace.org", from: "javascript:alert(1)" });
    const froms = (await page.events()).map(
      ({ evidence }) => (evidence as { agreed: { from: string } }).agreed.from,
    );
    expect(froms.sort()).toEqual(["https://shop.example/letters", null].sort());
  });
});

describe("fields", () => {
  async function withFields() {
    const page = await furnish();
    const field = (input: Parameters<typeof createField>[1]["field"]) =>
      createField(operator(), { ...ofNewsletter(page.newsletter), field: input });
    await field({ key: "company", label: "Company", type: "text", required: true });
    await field({ key: "seats", label: "Seats", type: "number" });
    await field({ key: "since", label: "Since", type: "date" });
    await field({ key: "edition", label: "Edition", type: "choice", choices: ["Print", "Digital"] });
    await field({ key: "adult", label: "Adult", type: "boolean", required: true });
    await field({ key: "secret", label: "Secret", type: "text" });
    await saveSignUpPage(app.db, page.newsletter.id, { fields: ["seats", "since", "edition"] });
    return page;
  }
  const good = {
    email: "ada@lovelace.org",
    "fields.company": "Engines",
    "fields.seats": "3,5",
    "fields.since": "2026-06-11",
    "fields.edition": "print",
    "fields.adult": "true",
    "fields.secret": "stolen",
  };

  test("on the page are stored by type, and no others", async () => {
    const page = await withFields();
    const text = await pageOf(await ask(page.url));
    expect(text).not.toContain("fields.secret");
    expect(text).toMatch(/id="fields.company" aria-required="true"/);
    await pageOf(await post(page, good));
    const [person] = await page.people();
    expect(person?.fields).toEqual({ 1: "Engines", 2: 3.5, 3: "2026-06-11", 4: "Print", 5: true });
  });

  test.each([
    ["fields.company", "", "Fill in this field."],
    ["fields.company", "x".repeat(1001), "This is too long."],
    ["fields.seats", "three", "Enter a number"],
    ["fields.since", "2026-02-30", "Enter a date"],
    ["fields.edition", "Audio", "Choose an option from the list."],
    ["fields.adult", "", "Tick this box to continue."],
    ["email", "", "Enter your email address."],
    ["email", "ada@localhost", "Enter a complete email address."],
    ["name", "x".repeat(256), "This is too long."],
  ])("%s %j is shown with its error, and no input is lost", async (name, value, message) => {
    const page = await withFields();
    const text = await pageOf(await post(page, { ...good, [name]: value }), 422);
    const input =
      new RegExp(`<(?:input|select) id="${name.replace(".", "\\.")}"[^>]*>`).exec(text)?.[0] ?? "";
    expect(input).toContain('aria-invalid="true"');
    expect(input).toContain(`aria-describedby="${name}-wrong"`);
    expect(text).toMatch(new RegExp(`id="${name.replace(".", "\\.")}-wrong">${message}`));
    expect(text.match(/aria-invalid="true"/g)).toHaveLength(1);
    if (name !== "fields.company") expect(text).toContain('value="Engines"');
    expect(await page.people()).toEqual([]);
  });
});

test("limits of an address, its network and a newsletter end in a page that says how long", async () => {
  const current = await openApp(database.url, { ...SETTINGS, RATE_LIMIT_SIGN_UP: "2/d" });
  const page = await furnish();
  const from = (caller: string) => {
    const email = `${newId()}@lovelace.org`;
    const body = new URLSearchParams({ email, time: timeOf(page.newsletter) });
    return ask(page.url, { method: "POST", body }, { current, caller });
  };
  for (let i = 0; i < 2; i++) await pageOf(await from(CALLER));
  const over = await from(CALLER);
  expect(Number(over.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await pageOf(over, 429)).toMatch(/submit the form again in [\d,]+ (minutes?|seconds?)\./);
  // A network has five times the limit of an address.
  const network = await Promise.all(Array.from({ length: 9 }, (_, i) => from(`203.0.113.${i + 20}`)));
  expect(network.map(({ status }) => status).sort()).toEqual([...Array(8).fill(200), 429]);
  await pageOf(await from("198.51.100.1"));
  for (const end of [3, 4]) await pageOf(await from(`2001:db8:1:2::${end}`));
  await pageOf(await from("2001:db8:1:2::5"), 429);
  // Viewed pages don't count.
  for (let i = 0; i < 5; i++) await pageOf(await ask(page.url, {}, { current, caller: "192.0.2.1" }));
  await pageOf(await from("192.0.2.1"));
  expect(await page.people()).toHaveLength(14);
  await current.close();
});

describe("consent", () => {
  test("is stored with the version of its wording", async () => {
    const page = await furnish({ wording: "First words." });
    await post(page, { email: "first@lovelace.org" });
    await saveSignUpPage(app.db, page.newsletter.id, { wording: "Second words.", title: "Letters" });
    await post(page, { email: "second@lovelace.org" });
    await saveSignUpPage(app.db, page.newsletter.id, { wording: "Second words.", title: "Other letters" });
    await saveSignUpPage(app.db, page.newsletter.id, { wording: "First words." });
    await post(page, { email: "third@lovelace.org" });
    const wordings = await app.db.signUpWording.findMany({
      where: { newsletterId: page.newsletter.id },
      orderBy: { version: "asc" },
    });
    expect(wordings.map(({ version, text }) => [version, text])).toEqual([
      [1, "First words."],
      [2, "Second words."],
      [3, "First words."],
    ]);
    // Simulates a form copied into another site before the wording changed, and versions that never existed.
    for (const [i, wording] of ["2", "4", "0", "-1", "x", "99999999999"].entries())
      await post(page, { email: `old${i}@lovelace.org`, wording });
    const agreed = (await page.events()).map(({ evidence }) => evidence);
    expect(agreed).toMatchObject([
      { agreed: { version: 1, wording: "First words." } },
      { agreed: { version: 2, wording: "Second words." } },
      { agreed: { version: 3, wording: "First words." } },
      { agreed: { version: 2, wording: "Second words." } },
      ...Array(5).fill({ agreed: { version: 3, wording: "First words." } }),
    ]);
  });

  test("is deleted with the newsletter", async () => {
    const page = await furnish();
    await app.db.newsletter.delete({ where: { id: page.newsletter.id } });
    expect(await app.db.signUpWording.count({ where: { newsletterId: page.newsletter.id } })).toBe(0);
    await pageOf(await ask(page.url), 404);
  });

  test("settings saved in two tabs don't overwrite each other", async () => {
    const page = await furnish();
    const other = (title: string) => saveSignUpPage(app.db, page.newsletter.id, { title });
    const results = await Promise.allSettled([other("One"), other("Two")]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const lost = results.find((one) => one.status === "rejected");
    expect(lost?.reason).toMatchObject({
      code: "validation_error",
      errors: { version: [expect.stringContaining("Reload")] },
    });
    const saved = await app.db.auditEntry.findMany({ where: { newsletterId: page.newsletter.id } });
    expect(saved.map(({ action, detail }) => [action, (detail as { changed: string[] }).changed])).toEqual([
      ["newsletter.sign_up_page_changed", ["isOn", "introduction"]],
      ["newsletter.sign_up_page_changed", ["title"]],
    ]);
  });
});

describe("a body", () => {
  test("over 64 KiB gets a page, and nothing is stored", async () => {
    const page = await furnish();
    const answer = await post(page, { email: "ada@lovelace.org", name: "x".repeat(70_000) });
    expect(await pageOf(answer, 413)).toContain("Nothing was saved.");
    expect(await page.people()).toEqual([]);
  });

  test("of undecodable bytes is shown with its error", async () => {
    const page = await furnish();
    const body = `email=ada%40lovelace.org&name=%ff%fe&time=${timeOf(page.newsletter)}`;
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    expect(await pageOf(await ask(page.url, { method: "POST", body, headers }), 422)).toContain(
      "This contains a character",
    );
    expect(await page.people()).toEqual([]);
  });

  test("posted to the page's time or script is not allowed", async () => {
    const page = await furnish();
    for (const part of ["/time", "/form.js"])
      await pageOf(await ask(`${page.url}${part}`, { method: "POST", body: new URLSearchParams() }), 405);
  });
});

test("the script of other sites' forms is small, loads from anywhere and only requests the page", async () => {
  const page = await furnish();
  const answer = await ask(`${page.url}/form.js`);
  const script = await answer.text();
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "cross-origin-resource-policy": "cross-origin",
  });
  expect(script.length).toBeLessThan(6_000);
  expect(script).not.toMatch(/https?:|cookie|localStorage|innerHTML|eval/);
  expect(() => new Function(script)).not.toThrow();
});
