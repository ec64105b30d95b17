import { TRPCError } from "@trpc/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AppContext } from "../app";
import { insertBulkAction } from "../bulk-actions/queries/bulk-actions";
import { newId } from "../kernel/ids";
import { openNotices } from "../mail/notices";
import { openOutbox } from "../mail/outbox";
import { insertMailing } from "../mail/queries/mailings";
import { openLinks } from "../mail/signed-links";
import { type Database, openDatabase } from "../platform/db/client";
import { openJobs } from "../platform/jobs/jobs";
import { openLimiter } from "../platform/limits/limiter";
import type { SignedIn } from "../staff/sign-in/staff-session";
import { openInsertQueue } from "../subscribers/queries/insert-queue";
import { createTestDatabase, type TestDatabase } from "../test/database";
import { addLinkedPerson, addNewsletter, suppressAddress } from "../test/linked-person";
import { mailedBy } from "../test/mail-fixture-values";
import { appErrorOf, createCallerFactory, type ProcedureContext } from "./base";
import { appRouter } from "./router";

let base: TestDatabase;
let database: Database;
let app: AppContext;
/** Our account, with a person, a key and an email; and another account. */
let ours: Awaited<ReturnType<typeof furnish>>;
let theirs: Awaited<ReturnType<typeof furnish>>;

async function furnish() {
  const { db } = database;
  const newsletter = await addNewsletter(db);
  const { id: newsletterId, accountId } = newsletter;
  const person = await addLinkedPerson(db, newsletterId);
  const { mailId: failedMailId } = await addLinkedPerson(db, newsletterId, { state: "failed" });
  await db.mail.update({ where: { id: failedMailId }, data: { errorCode: "validation_error" } });
  const keyId = newId();
  const secretSha256 = crypto.getRandomValues(new Uint8Array(32));
  const key = { id: keyId, newsletterId, name: "Shop", prefix: "sk_abc", secretSha256 };
  await db.apiKey.create({ data: { ...key, permissions: ["subscribers:read"] } });
  const staff: Record<string, string> = {};
  for (const role of ["owner", "editor", "viewer"]) {
    const id = newId();
    staff[role] = id;
    await db.staffMember.create({ data: { id, accountId, email: `${id}@x.org`, name: role, role } });
  }
  const staffId = staff.owner as string;
  const invitationId = newId();
  const invitation = {
    id: invitationId,
    accountId,
    email: "new@x.org",
    role: "viewer",
    digest: invitationId,
  };
  await db.invitation.create({ data: { ...invitation, expiresAt: new Date(Date.now() + 86_400_000) } });
  const [planId, doneId, uploadId] = [newId(), newId(), newId()];
  const plan = { id: planId, newsletterId, state: "planned", digest: "digest", rows: 1 };
  await db.import.create({ data: { ...plan, counts: { new_active: 1 } } });
  await db.import.create({ data: { id: uploadId, newsletterId, state: "uploading", rows: 1 } });
  await db.import.create({
    data: { id: doneId, newsletterId, state: "done", number: 1, endedAt: new Date() },
  });
  const email = "imported@lovelace.org";
  const imported = { newsletterId, id: newId(), email, emailCanonical: email, status: "active" };
  await db.subscriber.create({ data: { ...imported, source: "import", sourceId: doneId } });
  const field = { newsletterId, number: 1, key: "company", label: "Company", type: "text", position: 1 };
  await db.field.create({ data: field });
  const runId = newId();
  const run = { id: runId, newsletterId, staffId, address: null, kind: "unsubscribe" } as const;
  await insertBulkAction(db, { ...run, filter: [], ids: null, total: 1, below: null });
  await suppressAddress(db, newsletterId, { email: "out@lovelace.org", reason: "manual" });
  const { id: suppressionId } = await db.suppression.findFirstOrThrow({ where: { newsletterId } });
  const mailingId = newId();
  await insertMailing(db, { id: mailingId, newsletterId, staffId, kind: "retry" });
  const segmentId = newId();
  const filter = { match: "all", conditions: [{ about: "status", is: ["pending"] }], not: [] };
  const segment = { id: segmentId, newsletterId, name: "Pending", canonical: "pending", filter };
  await db.segment.create({ data: { ...segment, order: "newest" } });
  const ids = {
    segmentId,
    suppressionId,
    mailingId,
    failedMailId,
    keyId,
    invitationId,
    planId,
    uploadId,
    doneId,
    runId,
  };
  return { ...newsletter, ...ids, person, staff };
}
type Place = Awaited<ReturnType<typeof furnish>>;

beforeAll(async () => {
  base = await createTestDatabase();
  database = openDatabase({ url: base.url, poolSize: 4, onError: () => {} });
  const log = { warn() {}, info() {}, error() {} };
  const jobs = openJobs({ databaseUrl: base.url, log });
  app = {
    db: database.db,
    queue: openInsertQueue(database.db),
    outbox: openOutbox(jobs),
    notify: openNotices(openOutbox(jobs), "http://localhost"),
    authSecrets: ["s".repeat(32)],
    jobs,
    links: openLinks({ secrets: ["s".repeat(32)], appUrl: "http://localhost" }),
    signUpPages: { page: async () => "<p>", form: async () => "<form>" },
    appUrl: "http://localhost",
    environmentMail: {
      transport: null,
      from: "Rollcall <hello@list.example>",
      baseUrl: undefined,
      webhookSecrets: null,
    },
    mailService: mailedBy(null),
    config: {},
    limiter: openLimiter({
      policies: {},
      lockouts: { auth: null, errors: null },
      log,
    }),
    log,
  } as unknown as AppContext;
  ours = await furnish();
  theirs = await furnish();
});

afterAll(async () => {
  await database.close();
  await base.drop();
});

// The age of the caller's sign-in, and whether the caller lacks a second factor.
let minutesAgo = 0;
let lacksSecondFactor = false;

function callerAs(role: SignedIn["role"] | null, place: Place) {
  const staff: SignedIn | null = role && {
    id: place.staff[role] as string,
    accountId: place.accountId,
    email: `${role}@x.org`,
    name: role,
    role,
    language: null,
    sessionId: newId(),
    signedInAt: new Date(Date.now() - minutesAgo * 60_000),
    lacksSecondFactor,
  };
  const call: ProcedureContext = {
    app,
    requestId: "test",
    address: "192.0.2.7",
    signedIn: async () => staff,
  };
  return createCallerFactory(appRouter)(call) as unknown as Record<string, unknown>;
}

/** Runs a procedure by its dotted name; resolves to its answer, and the fault it was rejected with, or null. */
async function answerOf(role: SignedIn["role"] | null, path: string, input: unknown, place = ours) {
  const procedure = path
    .split(".")
    .reduce((at: unknown, name) => (at as Record<string, unknown>)[name], callerAs(role, place));
  try {
    return { answer: await (procedure as (input: unknown) => Promise<unknown>)(input), fault: null };
  } catch (error) {
    if (error instanceof TRPCError)
      return { answer: error.message, fault: appErrorOf(error, "unknown").code };
    throw error;
  }
}
const faultOf = async (...call: Parameters<typeof answerOf>) => (await answerOf(...call)).fault;

/** Returns all data that a procedure could change, as one text. */
async function everything(): Promise<string> {
  const { db } = database;
  const tables = [
    ...[db.account, db.newsletter, db.subscriber, db.mail, db.suppression, db.apiKey, db.staffMember],
    ...[db.invitation, db.auditEntry, db.mailing, db.bulkAction, db.segment, db.import],
  ] as unknown as { findMany(by: object): Promise<object[]> }[];
  const rows = await Promise.all([
    ...tables.map((table) => table.findMany({ orderBy: { id: "asc" } })),
    db.importRow.findMany({ orderBy: { emailCanonical: "asc" } }),
    db.mailService.findMany(),
  ]);
  return JSON.stringify(rows);
}

/** The lowest role that may run a procedure. `input` would change something if the call were allowed. */
type Rule = { who: "viewer" | "editor" | "owner"; input(place: Place): object };

const inNewsletter = (who: Rule["who"], more: (place: Place) => object = () => ({})): Rule => ({
  who,
  input: (place) => ({ newsletterId: place.id, ...more(place) }),
});

const welcome = { on: true, subject: "Stolen", text: "Stolen" };
const words = { subject: "Stolen", intro: "Stolen", nextUrl: "https://evil.example/" };
const endpoint = { url: "https://evil.example/hook", description: "", events: ["import.finished" as const] };
const signUpSettings = {
  isOn: true,
  title: "Stolen",
  introduction: "",
  wording: "Stolen",
  asksName: false,
  fields: [],
};
const stolenSegment = {
  name: "Stolen",
  filter: {
    match: "all" as const,
    conditions: [{ about: "status" as const, is: ["active" as const] }],
    not: [],
  },
};
const person = (place: Place) => ({ id: place.person.subscriberId });
const rules: Record<string, Rule> = {
  "people.page": inNewsletter("viewer", () => ({ filter: {}, order: "newest", from: null })),
  "people.counts": inNewsletter("viewer"),
  "people.matching": inNewsletter("viewer", () => ({ filter: {} })),
  "people.get": inNewsletter("viewer", person),
  "people.exportPerson": inNewsletter("editor", person),
  "people.allowMail": inNewsletter("editor", person),
  "people.add": inNewsletter("editor", () => ({ person: { email: "ada@lovelace.org" } })),
  "people.change": inNewsletter("editor", (place) => ({
    ...person(place),
    version: 1,
    patch: { name: "Ada" },
  })),
  "people.saveNote": inNewsletter("editor", (place) => ({ ...person(place), version: 0, text: "Stolen" })),
  "people.askAgain": inNewsletter("editor", person),
  "fields.list": inNewsletter("viewer"),
  "fields.people": inNewsletter("viewer", () => ({ key: "company" })),
  "fields.create": inNewsletter("editor", () => ({ field: { key: "stolen", type: "text" } })),
  "fields.change": inNewsletter("editor", () => ({ key: "company", patch: { label: "Stolen" } })),
  "fields.order": inNewsletter("editor", () => ({ keys: ["company"] })),
  "fields.delete": inNewsletter("editor", () => ({ key: "company" })),
  tags: inNewsletter("viewer"),
  "segments.list": inNewsletter("viewer"),
  "segments.create": inNewsletter("editor", () => stolenSegment),
  "segments.change": inNewsletter("editor", ({ segmentId }) => ({
    id: segmentId,
    version: 1,
    segment: stolenSegment,
  })),
  "segments.remove": inNewsletter("editor", ({ segmentId }) => ({ id: segmentId })),
  "bulkActions.current": inNewsletter("viewer"),
  "bulkActions.start": inNewsletter("editor", (place) => ({
    kind: "erase",
    target: { ids: [place.person.subscriberId] },
  })),
  "bulkActions.change": inNewsletter("editor", (place) => ({
    change: { kind: "tag", tags: ["Stolen"] },
    target: { ids: [place.person.subscriberId] },
  })),
  "bulkActions.cancel": inNewsletter("editor", ({ runId }) => ({ id: runId })),
  "bulkActions.undo": inNewsletter("editor", ({ runId }) => ({ id: runId })),
  "bulkActions.dismiss": inNewsletter("editor", ({ runId }) => ({ id: runId })),
  "people.export": inNewsletter("editor", () => ({ filter: {}, after: null })),
  "people.exportChosen": inNewsletter("editor", (place) => ({ ids: [place.person.subscriberId] })),
  "imports.begin": inNewsletter("editor", () => ({
    head: { fileName: null, statusRule: "active" as const },
  })),
  "imports.upload": inNewsletter("editor", ({ uploadId }) => ({
    importId: uploadId,
    part: 0,
    rows: [{ line: 1, email: "ada@lovelace.org", name: "Ada" }],
    rejected: [],
  })),
  "imports.plan": inNewsletter("editor", ({ uploadId }) => ({ importId: uploadId })),
  "imports.commit": inNewsletter("editor", (place) => ({
    importId: place.planId,
    digest: "digest",
    consent: { source: "a form", wording: "", people: 1 },
  })),
  "imports.get": inNewsletter("viewer", (place) => ({ importId: place.planId })),
  "imports.cancel": inNewsletter("editor", (place) => ({ importId: place.planId })),
  "imports.undoPlan": inNewsletter("viewer", (place) => ({ importId: place.doneId })),
  "imports.undo": inNewsletter("editor", (place) => ({ importId: place.doneId })),
  "imports.list": inNewsletter("viewer", () => ({})),
  "imports.activeDespiteOptOut": inNewsletter("viewer", (place) => ({ importId: place.doneId })),
  "imports.rejected": inNewsletter("editor", (place) => ({ importId: place.planId })),
  "keys.list": inNewsletter("viewer"),
  "keys.create": inNewsletter("owner", () => ({ key: { name: "Shop" } })),
  "keys.revoke": inNewsletter("owner", ({ keyId }) => ({ keyId })),
  "keys.rotate": inNewsletter("owner", ({ keyId }) => ({ keyId, overlapHours: 0 })),
  "requests.page": inNewsletter("viewer", () => ({ view: {} })),
  "requests.lockouts": inNewsletter("viewer"),
  "requests.lift": inNewsletter("owner", ({ keyId }) => ({ keyId })),
  "mailings.open": inNewsletter("viewer"),
  "mailings.preview": inNewsletter("editor", () => ({ of: { state: "failed", code: "validation_error" } })),
  "mailings.cancel": inNewsletter("editor", ({ mailingId }) => ({ id: mailingId })),
  "suppressions.page": inNewsletter("viewer"),
  "suppressions.check": inNewsletter("editor", () => ({ canonicals: ["ada@lovelace.org"] })),
  "suppressions.add": inNewsletter("editor", () => ({
    inputs: [{ email: "ada@lovelace.org", reason: "manual" }],
    source: "dashboard",
    continues: false,
  })),
  "suppressions.remove": inNewsletter("editor", ({ suppressionId }) => ({
    id: suppressionId,
    why: "Theirs",
  })),
  "mails.page": inNewsletter("viewer", () => ({})),
  "mails.get": inNewsletter("viewer", (place) => ({ id: place.person.mailId })),
  "mails.kept": inNewsletter("viewer"),
  "mails.pause": inNewsletter("viewer"),
  "mails.readLink": inNewsletter("editor", (place) => ({ id: place.person.mailId })),
  "mails.issues": inNewsletter("viewer"),
  "mails.retry": inNewsletter("editor", (place) => ({ id: place.failedMailId })),
  "mails.retryReason": inNewsletter("editor", () => ({ state: "failed", code: "validation_error" })),
  "mails.words": inNewsletter("viewer"),
  "mails.saveConfirmationWording": inNewsletter("editor", () => ({ words, was: words })),
  "mails.preview": inNewsletter("viewer", () => ({ words })),
  "mails.sendTest": inNewsletter("editor", () => ({ words })),
  "mails.welcome.get": inNewsletter("viewer"),
  "mails.welcome.save": inNewsletter("editor", () => ({ welcome, was: welcome })),
  "mails.welcome.preview": inNewsletter("viewer", () => ({ welcome })),
  "mails.welcome.sendTest": inNewsletter("editor", () => ({ welcome })),
  "webhooks.list": inNewsletter("viewer"),
  "webhooks.messages": inNewsletter("viewer", () => ({ id: newId(), state: null })),
  "webhooks.message": inNewsletter("viewer", () => ({ id: newId(), number: 1 })),
  "webhooks.create": inNewsletter("owner", () => ({ endpoint })),
  "webhooks.save": inNewsletter("owner", () => ({ id: newId(), version: 1, endpoint })),
  "webhooks.setOn": inNewsletter("owner", () => ({ id: newId(), on: true })),
  "webhooks.rotate": inNewsletter("owner", () => ({ id: newId() })),
  "webhooks.remove": inNewsletter("owner", () => ({ id: newId() })),
  "webhooks.test": inNewsletter("owner", () => ({ id: newId() })),
  "webhooks.repeat": inNewsletter("owner", () => ({ id: newId(), from: 1, to: 2 })),
  "webhooks.skip": inNewsletter("owner", () => ({ id: newId(), number: 1 })),
  "signUpPage.settings": inNewsletter("viewer"),
  "signUpPage.save": inNewsletter("editor", () => ({ version: 0, settings: signUpSettings })),
  "signUpPage.preview": inNewsletter("viewer", () => ({ settings: signUpSettings })),
  "newsletters.settings": inNewsletter("viewer"),
  "newsletters.save": inNewsletter("owner", () => ({
    settings: {
      name: "Stolen",
      sender: null,
      replyTo: null,
      language: "de",
      timeZone: "UTC",
      domainMailsPerDay: 9,
      mailsPerDay: 9,
      sendDelaySeconds: 0,
    },
    was: null,
  })),
  "newsletters.pendingRules": inNewsletter("viewer", () => ({ days: 30 })),
  "newsletters.savePendingRules": inNewsletter("owner", () => ({
    rules: { reminder: true, days: 7 },
    was: { reminder: false, days: null },
  })),
  "newsletters.overview": inNewsletter("viewer", () => ({
    days: 30,
    own: { week: new Date(), month: new Date() },
  })),
  "newsletters.archive": inNewsletter("owner"),
  "newsletters.delete": inNewsletter("owner", () => ({ name: "Weekly" })),
  "newsletters.reopen": inNewsletter("owner"),
  "newsletters.create": { who: "owner", input: () => ({ name: "Another" }) },
  "account.apiAccess": { who: "owner", input: () => ({ on: false }) },
  "account.auditLog": { who: "viewer", input: () => ({ limit: 10 }) },
  "account.staff": { who: "viewer", input: () => ({}) },
  "account.secondFactors": { who: "viewer", input: () => ({}) },
  "account.requireSecondFactor": { who: "owner", input: () => ({ required: true }) },
  "account.removeSecondFactors": { who: "owner", input: (place) => ({ id: place.staff.editor }) },
  "account.made": { who: "owner", input: (place) => ({ id: place.staff.editor }) },
  "account.invite": { who: "owner", input: () => ({ invitation: { email: "eve@x.org", role: "owner" } }) },
  "account.inviteAgain": { who: "owner", input: (place) => ({ id: place.invitationId }) },
  "account.invitation": { who: "owner", input: (place) => ({ id: place.invitationId }) },
  "account.withdraw": { who: "owner", input: (place) => ({ id: place.invitationId }) },
  "account.mailService": { who: "viewer", input: () => ({}) },
  "account.sendingDomains": { who: "owner", input: () => ({}) },
  "account.setMailService": {
    who: "owner",
    input: () => ({
      service: { apiKey: "re_stolen", sender: "Eve <eve@evil.example>", webhookSecret: null },
    }),
  },
  "account.removeMailService": { who: "owner", input: () => ({}) },
  "account.setRole": { who: "owner", input: (place) => ({ id: place.staff.viewer, role: "owner" }) },
  "account.remove": { who: "owner", input: (place) => ({ id: place.staff.editor }) },
  "own.rename": { who: "viewer", input: () => ({ name: "Eve" }) },
  "own.digest": { who: "viewer", input: () => ({}) },
  "own.setDigest": { who: "viewer", input: () => ({ weekly: true }) },
  "own.setLanguage": { who: "viewer", input: () => ({ language: "de" }) },
  "own.changeEmail": { who: "viewer", input: () => ({ email: "eve@evil.example" }) },
  "sessions.list": { who: "viewer", input: () => ({}) },
  "sessions.end": { who: "viewer", input: () => ({ id: newId() }) },
  "sessions.endOthers": { who: "viewer", input: () => ({}) },
};

const ruleOf = (path: string) => rules[path] as Rule;

/** Open to callers with an invitation or a mailed link; the token identifies them. */
const open = ["join", "own.forgot", "own.reset", "own.confirmEmail"];

it("has a rule for each procedure", () => {
  const paths = Object.keys(appRouter._def.procedures);
  expect(paths.filter((path) => !open.includes(path)).sort()).toEqual(Object.keys(rules).sort());
});

const everyPath = Object.keys(rules);
const pathsFor = (...roles: Rule["who"][]) => everyPath.filter((path) => roles.includes(ruleOf(path).who));
const ofNewsletter = everyPath.filter(
  (path) => "newsletterId" in ruleOf(path).input({ person: {}, staff: {} } as Place),
);
const fromTheirs = (path: string) => ruleOf(path).input(theirs);
/** Ids of the other account with our newsletter. */
const mixed = (path: string) => ({ ...fromTheirs(path), newsletterId: ours.id });

/**
 * Calls each procedure, by default as the owner of our newsletter. Fails unless every call is rejected and no data
 * changes.
 */
async function expectRejected(
  paths: readonly string[],
  fault: string,
  {
    role = "owner",
    input = (path) => ruleOf(path).input(ours),
    place,
  }: { role?: SignedIn["role"] | null; input?(path: string): object; place?: Place } = {},
) {
  const before = await everything();
  const faults: Record<string, string | null> = {};
  for (const path of paths) faults[path] = await faultOf(role, path, input(path), place);
  expect(faults).toEqual(Object.fromEntries(paths.map((path) => [path, fault])));
  expect(await everything()).toBe(before);
}

describe("nothing is changed by what is rejected:", () => {
  it("every procedure without a session", () => expectRejected(everyPath, "unauthorized", { role: null }));

  it("what editors and owners do, to a viewer", () =>
    expectRejected(pathsFor("editor", "owner"), "forbidden", { role: "viewer" }));

  it("what owners do, to an editor", () =>
    expectRejected(pathsFor("owner"), "forbidden", { role: "editor" }));

  it("every procedure of another account's newsletter", () =>
    expectRejected(ofNewsletter, "not_found", { input: fromTheirs }));

  it("every procedure but their own ways in, to a member who lacks the second factor that the account demands", async () => {
    const open = "account.secondFactors";
    lacksSecondFactor = true;
    try {
      await expectRejected(
        everyPath.filter((path) => path !== open),
        "second_factor_missing",
      );
      expect(await faultOf("owner", open, ruleOf(open).input(ours))).toBe(null);
    } finally {
      lacksSecondFactor = false;
    }
  });

  it("ids of another account beside one's own newsletter", () => {
    const withIds = [
      ...["people.get", "people.exportPerson", "people.allowMail", "people.change", "people.askAgain"],
      ...["keys.revoke", "keys.rotate", "segments.change", "segments.remove", "suppressions.remove"],
      ...["mails.get", "mails.readLink", "requests.lift", "mailings.cancel"],
      ...["bulkActions.cancel", "bulkActions.undo", "imports.commit", "imports.get", "imports.cancel"],
      ...["imports.undoPlan", "imports.undo", "imports.activeDespiteOptOut", "imports.rejected"],
    ];
    return expectRejected(withIds, "not_found", { input: mixed });
  });

  it("ids of another account's staff and invitations", () => {
    const acts = ["inviteAgain", "invitation", "withdraw", "setRole", "remove", "removeSecondFactors"];
    return expectRejected(
      acts.map((act) => `account.${act}`),
      "not_found",
      { input: fromTheirs },
    );
  });

  it("ids of another account's people to erase, of whom none is found", async () => {
    const before = await everything();
    expect(await faultOf("owner", "bulkActions.start", mixed("bulkActions.start"))).toBe(null);
    const nobody = { where: { kind: "erase", done: 0 } };
    expect(await database.db.bulkAction.deleteMany(nobody)).toEqual({ count: 1 });
    expect(await everything()).toBe(before);
  });
});

describe("a quarter of an hour after signing in", () => {
  beforeAll(() => {
    minutesAgo = 15.1;
  });
  afterAll(() => {
    minutesAgo = 0;
  });

  it("what can't be undone asks for another sign-in, and changes nothing", () => {
    const guarded = [
      ...["keys.create", "keys.rotate", "newsletters.delete"],
      ...["webhooks.create", "webhooks.save", "webhooks.rotate"],
      ...["people.export", "people.exportChosen", "people.exportPerson", "bulkActions.start"],
      ...["account.invite", "account.invitation", "account.setRole", "account.remove"],
      ...["account.requireSecondFactor", "account.removeSecondFactors"],
      ...["account.setMailService", "account.removeMailService", "own.changeEmail"],
    ];
    return expectRejected(guarded, "sign_in_again");
  });

  it("people are unsubscribed without asking, which can be undone", async () => {
    const nobody = { ...mixed("bulkActions.start"), kind: "unsubscribe" };
    expect(await faultOf("owner", "bulkActions.start", nobody)).toBe(null);
  });
});

describe("an archived newsletter", () => {
  /** These procedures export people, close the newsletter further or restore it. Previews and checks change nothing. */
  const allowed = [
    ...["people.export", "people.exportChosen", "people.exportPerson", "bulkActions.dismiss", "keys.revoke"],
    ...["mails.preview", "mails.welcome.preview", "mailings.preview", "signUpPage.preview"],
    ...["suppressions.check", "newsletters.archive", "newsletters.delete", "newsletters.reopen"],
  ];
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;
  const mutations = ofNewsletter.filter((path) => procedures[path]?._def.type === "mutation");
  let place: Place;
  beforeAll(async () => {
    place = await furnish();
    await database.db.newsletter.update({ where: { id: place.id }, data: { archivedAt: new Date() } });
  });

  it("is changed by no procedure that is not named here", () =>
    expectRejected(
      mutations.filter((path) => !allowed.includes(path)),
      "forbidden",
      { input: (path) => ruleOf(path).input(place), place },
    ));

  it.each(allowed)("allows %s", async (path) => {
    expect(mutations).toContain(path);
    expect(await faultOf("owner", path, ruleOf(path).input(place), place)).not.toBe("forbidden");
  });
});

it("demands a second factor only after an owner who has one", async () => {
  const path = "account.requireSecondFactor";
  expect(await faultOf("owner", path, ruleOf(path).input(ours))).toBe("validation_error");
});

it.each([
  ["while mail leaves", { kind: "resend", apiKey: "re_test" } as const, []],
  // The answer is recorded, and using the link counts as the staff member's action.
  ["while no mail leaves", null, ["mails.readLink of a mail that was kept"]],
])("%s, no answer to staff holds a working confirmation link", async (_, transport, expected) => {
  const token = /confirm\/[\w-]{92}/;
  app.mailService = mailedBy(transport);
  const place = await furnish();
  const showing: string[] = [];
  for (const path of everyPath)
    for (const mailed of [true, false]) {
      const person = await addLinkedPerson(database.db, place.id, { mailed });
      const link = app.links.confirmationUrl(person);
      await database.db.mail.update({ where: { id: person.mailId }, data: { html: link, text: link } });
      const { answer } = await answerOf("owner", path, ruleOf(path).input({ ...place, person }), place);
      if (token.test(JSON.stringify(answer ?? null)))
        showing.push(`${path} of a mail that was ${mailed ? "sent" : "kept"}`);
    }
  expect(showing).toEqual(expected);
});

describe("what is allowed", () => {
  it.each(["people.page", "people.get", "keys.list", "mails.page", "newsletters.overview", "account.staff"])(
    "lets a viewer read %s",
    async (path) => {
      expect(await faultOf("viewer", path, ruleOf(path).input(ours))).toBe(null);
    },
  );

  it("keeps the last owner", async () => {
    const id = ours.staff.owner;
    expect(await faultOf("owner", "account.setRole", { id, role: "viewer" })).toBe("validation_error");
    expect(await faultOf("owner", "account.remove", { id })).toBe("validation_error");
  });

  it("lets an editor change a person once for each version they have read", async () => {
    const input = { newsletterId: ours.id, ...person(ours), version: 1 };
    const change = (name: string) => faultOf("editor", "people.change", { ...input, patch: { name } });
    expect(await change("Ada Lovelace")).toBe(null);
    expect(await change("Grace Hopper")).toBe("validation_error");
  });
});
