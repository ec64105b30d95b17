import { TRPCError } from "@trpc/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { insertBulkAction } from "../bulk-actions/queries/bulk-actions";
import { newId } from "../kernel/ids";
import { DAY_MS } from "../kernel/time";
import { insertMailing } from "../mail/queries/mailings";
import type { SignedIn } from "../staff/sign-in/staff-session";
import { addLinkedPerson, addNewsletter, suppressAddress } from "../test/linked-person";
import { mailedBy } from "../test/mail-fixture-values";
import { app, openAppForTests } from "../test/public-pages";
import { appErrorOf, createCallerFactory, type ProcedureContext } from "./base";
import { appRouter } from "./router";

openAppForTests();
/** Our account, with a person, a key and an email; and another account. */
let ours: Awaited<ReturnType<typeof furnish>>;
let theirs: Awaited<ReturnType<typeof furnish>>;

async function furnish() {
  const { db } = app;
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
  const invited = { accountId, email: "new@x.org", role: "viewer", expiresAt: new Date(Date.now() + DAY_MS) };
  await db.invitation.create({ data: { ...invited, id: invitationId, digest: invitationId } });
  const [planId, doneId, uploadId] = [newId(), newId(), newId()];
  const plan = { id: planId, newsletterId, state: "planned", digest: "digest", rows: 1 };
  await db.import.create({ data: { ...plan, counts: { new_active: 1 } } });
  await db.import.create({ data: { id: uploadId, newsletterId, state: "uploading", rows: 1 } });
  const done = { id: doneId, newsletterId, state: "done", number: 1, endedAt: new Date() };
  await db.import.create({ data: done });
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
  return {
    ...{ ...newsletter, person, staff, failedMailId, keyId, invitationId, planId, uploadId, doneId, runId },
    ...{ suppressionId, mailingId, segmentId },
  };
}
type Place = Awaited<ReturnType<typeof furnish>>;

beforeAll(async () => {
  ours = await furnish();
  theirs = await furnish();
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
  const origin = { app, requestId: "test", address: "192.0.2.7" };
  const call: ProcedureContext = { ...origin, signedIn: async () => staff };
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
  const { db } = app;
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

const listed = (text: string) => text.trim().split(/\s+/);

/** The procedures by the lowest role that may run them. */
const procedures = {
  viewer: listed(`
    people.page people.counts people.matching people.get fields.list fields.people tags.names tags.list segments.list bulkActions.current
    imports.get imports.rows imports.undoPlan imports.list imports.activeDespiteOptOut keys.list requests.page
    mailings.open suppressions.page mails.page mails.get mails.kept mails.pause mails.issues mails.wording mails.preview
    webhooks.list webhooks.messages webhooks.message signUpPage.settings
    signUpPage.preview newsletters.settings newsletters.pendingRules newsletters.overview account.auditLog account.staff
    account.secondFactors account.mailService own.rename own.digest own.setDigest own.setLanguage own.changeEmail own.checkRecentSignIn
    sessions.list sessions.end sessions.endOthers`),
  editor: listed(`
    people.exportPerson people.allowMail people.add people.change people.saveNote people.askAgain people.export
    people.exportChosen fields.create fields.change fields.order fields.delete tags.change tags.delete segments.create segments.change
    segments.remove bulkActions.start bulkActions.change bulkActions.cancel bulkActions.undo bulkActions.dismiss
    imports.begin imports.upload imports.plan imports.commit imports.cancel imports.undo imports.rejected
    mailings.preview mailings.cancel suppressions.check suppressions.add suppressions.remove mails.readLink
    mails.retry mails.retryReason mails.saveWording mails.sendTest signUpPage.save`),
  owner: listed(`
    keys.create keys.revoke keys.rotate webhooks.create webhooks.save webhooks.setOn webhooks.rotate
    webhooks.remove webhooks.test webhooks.repeat webhooks.skip newsletters.save newsletters.savePendingRules
    newsletters.archive newsletters.delete newsletters.reopen newsletters.create account.apiAccess
    account.requireSecondFactor account.removeSecondFactors account.made account.invite account.inviteAgain
    account.invitation account.withdraw account.sendingDomains account.setMailService account.removeMailService
    account.setRole account.remove`),
};
const everyPath = Object.values(procedures).flat();
const ofNewsletter = everyPath.filter(
  (path) => path !== "newsletters.create" && !/^(account|own|sessions)\./.test(path),
);

const person = (place: Place) => ({ id: place.person.subscriberId });
const segment = {
  name: "Stolen",
  filter: { match: "all", conditions: [{ about: "status", is: ["active"] }], not: [] },
};
const words = { on: true, subject: "Stolen", intro: "Stolen", nextUrl: "https://evil.example/" };
const wording = { kind: "confirmation", wording: words };
/**
 * The inputs of procedures that find something by its id, or that answer with people or emails. Guards run before the
 * other procedures read their input.
 */
const inputs: Record<string, (place: Place) => object> = {
  "people.page": () => ({ filter: {}, order: "newest", from: null }),
  "people.matching": () => ({ filter: {} }),
  "people.get": person,
  "people.exportPerson": person,
  "people.allowMail": person,
  "people.add": () => ({ person: { email: "ada@lovelace.org" } }),
  "people.change": (place) => ({ ...person(place), version: 1, patch: { name: "Ada" } }),
  "people.saveNote": (place) => ({ ...person(place), version: 0, text: "Stolen" }),
  "people.askAgain": person,
  "people.export": () => ({ filter: {}, after: null }),
  "people.exportChosen": (place) => ({ ids: [place.person.subscriberId] }),
  "segments.change": ({ segmentId }) => ({ id: segmentId, version: 1, segment }),
  "segments.remove": ({ segmentId }) => ({ id: segmentId }),
  "bulkActions.start": (place) => ({ kind: "erase", target: { ids: [place.person.subscriberId] } }),
  "bulkActions.cancel": ({ runId }) => ({ id: runId }),
  "bulkActions.undo": ({ runId }) => ({ id: runId }),
  "bulkActions.dismiss": ({ runId }) => ({ id: runId }),
  "imports.commit": (place) => ({
    ...{ importId: place.planId, digest: "digest" },
    consent: { source: "a form", wording: "", people: 1 },
  }),
  "imports.get": (place) => ({ importId: place.planId }),
  "imports.cancel": (place) => ({ importId: place.planId }),
  "imports.undoPlan": (place) => ({ importId: place.doneId }),
  "imports.undo": (place) => ({ importId: place.doneId }),
  "imports.activeDespiteOptOut": (place) => ({ importId: place.doneId }),
  "imports.rejected": (place) => ({ importId: place.planId }),
  "imports.rows": (place) => ({ importId: place.planId }),
  "keys.revoke": ({ keyId }) => ({ keyId }),
  "keys.rotate": ({ keyId }) => ({ keyId, overlapHours: 0 }),
  "requests.page": () => ({ view: {} }),
  "mailings.preview": () => ({ of: { state: "failed", code: "validation_error" } }),
  "mailings.cancel": ({ mailingId }) => ({ id: mailingId }),
  "suppressions.check": () => ({ canonicals: ["ada@lovelace.org"] }),
  "suppressions.remove": ({ suppressionId }) => ({ id: suppressionId, why: "Theirs" }),
  "mails.get": (place) => ({ id: place.person.mailId }),
  "mails.readLink": (place) => ({ id: place.person.mailId }),
  "mails.retry": (place) => ({ id: place.failedMailId }),
  "mails.retryReason": () => ({ state: "failed", code: "validation_error" }),
  "mails.wording": () => wording,
  "mails.preview": () => wording,
  "mails.sendTest": () => wording,
  "newsletters.overview": () => ({ days: 30, own: { week: new Date(), month: new Date() } }),
  "account.auditLog": () => ({ limit: 10 }),
  "account.requireSecondFactor": () => ({ required: true }),
  "account.removeSecondFactors": (place) => ({ id: place.staff.editor }),
  "account.inviteAgain": (place) => ({ id: place.invitationId }),
  "account.invitation": (place) => ({ id: place.invitationId }),
  "account.withdraw": (place) => ({ id: place.invitationId }),
  "account.setRole": (place) => ({ id: place.staff.viewer, role: "owner" }),
  "account.remove": (place) => ({ id: place.staff.editor }),
};
const inputFor = (path: string, place: Place) => ({
  ...(ofNewsletter.includes(path) && { newsletterId: place.id }),
  ...inputs[path]?.(place),
});

it("has a role for each procedure", () => {
  const paths = Object.keys(appRouter._def.procedures);
  expect(paths.sort()).toEqual(everyPath.toSorted());
});

const fromTheirs = (path: string) => inputFor(path, theirs);
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
    input = (path) => inputFor(path, ours),
    place,
  }: { role?: SignedIn["role"] | null; input?(path: string): object; place?: Place } = {},
) {
  const before = await everything();
  const faults: Record<string, string | null> = {};
  for (const path of paths) faults[path] = await faultOf(role, path, input(path), place);
  expect(faults).toEqual(Object.fromEntries(paths.map((path) => [path, fault])));
  expect(await everything()).toBe(before);
}

describe("rejects, without a change,", () => {
  it("every procedure without a session", () => expectRejected(everyPath, "unauthorized", { role: null }));

  it("the procedures of editors and owners, for a viewer", () =>
    expectRejected([...procedures.editor, ...procedures.owner], "forbidden", { role: "viewer" }));

  it("the procedures of owners, for an editor", () =>
    expectRejected(procedures.owner, "forbidden", { role: "editor" }));

  it("every procedure of another account's newsletter", () =>
    expectRejected(ofNewsletter, "not_found", { input: fromTheirs }));

  it("every procedure except the set-up, for staff who lack a required second factor", async () => {
    const open = "account.secondFactors";
    lacksSecondFactor = true;
    try {
      await expectRejected(
        everyPath.filter((path) => path !== open),
        "second_factor_missing",
      );
      expect(await faultOf("owner", open, inputFor(open, ours))).toBe(null);
    } finally {
      lacksSecondFactor = false;
    }
  });

  it("ids of another account with one's own newsletter", () => {
    const withIds = [
      ...["people.get", "people.exportPerson", "people.allowMail", "people.change", "people.askAgain"],
      ...["keys.revoke", "keys.rotate", "segments.change", "segments.remove", "suppressions.remove"],
      ...["mails.get", "mails.readLink", "mailings.cancel"],
      ...["bulkActions.cancel", "bulkActions.undo", "imports.commit", "imports.get", "imports.cancel"],
      ...[
        "imports.undoPlan",
        "imports.undo",
        "imports.activeDespiteOptOut",
        "imports.rejected",
        "imports.rows",
      ],
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

  it("the erasure of another account's people", async () => {
    const before = await everything();
    expect(await faultOf("owner", "bulkActions.start", mixed("bulkActions.start"))).toBe(null);
    const nobody = { where: { kind: "erase", done: 0 } };
    expect(await app.db.bulkAction.deleteMany(nobody)).toEqual({ count: 1 });
    expect(await everything()).toBe(before);
  });
});

describe("15 minutes after a sign-in", () => {
  beforeAll(() => {
    minutesAgo = 15.1;
  });
  afterAll(() => {
    minutesAgo = 0;
  });

  it("requires another sign-in before actions that can't be undone", () => {
    const guarded = [
      ...["keys.create", "keys.rotate", "newsletters.delete"],
      ...["webhooks.create", "webhooks.save", "webhooks.rotate"],
      ...["people.export", "people.exportChosen", "people.exportPerson", "bulkActions.start"],
      ...["account.invite", "account.invitation", "account.setRole", "account.remove"],
      ...["account.requireSecondFactor", "account.removeSecondFactors"],
      ...["account.setMailService", "account.removeMailService", "own.changeEmail", "own.checkRecentSignIn"],
    ];
    return expectRejected(guarded, "sign_in_again");
  });

  it("unsubscribes people without another sign-in", async () => {
    const nobody = { ...mixed("bulkActions.start"), kind: "unsubscribe" };
    expect(await faultOf("owner", "bulkActions.start", nobody)).toBe(null);
  });
});

describe("an archived newsletter", () => {
  /** These procedures export people, close the newsletter further or restore it. Previews and checks change nothing. */
  const allowed = [
    ...["people.export", "people.exportChosen", "people.exportPerson", "bulkActions.dismiss", "keys.revoke"],
    ...["mails.preview", "mailings.preview", "signUpPage.preview"],
    ...["suppressions.check", "newsletters.archive", "newsletters.delete", "newsletters.reopen"],
  ];
  const definitions = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;
  const mutations = ofNewsletter.filter((path) => definitions[path]?._def.type === "mutation");
  let place: Place;
  beforeAll(async () => {
    place = await furnish();
    await app.db.newsletter.update({ where: { id: place.id }, data: { archivedAt: new Date() } });
  });

  it("rejects all mutations except the listed ones", () =>
    expectRejected(
      mutations.filter((path) => !allowed.includes(path)),
      "forbidden",
      { input: (path) => inputFor(path, place), place },
    ));

  it("allows the listed mutations", async () => {
    expect(mutations).toEqual(expect.arrayContaining(allowed));
    const faults: (string | null)[] = [];
    for (const path of allowed) faults.push(await faultOf("owner", path, inputFor(path, place), place));
    expect(faults).not.toContain("forbidden");
  });
});

it("demands a second factor only after an owner who has one", async () => {
  const path = "account.requireSecondFactor";
  expect(await faultOf("owner", path, inputFor(path, ours))).toBe("validation_error");
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
      const person = await addLinkedPerson(app.db, place.id, { mailed });
      const link = app.links.confirmationUrl(person);
      await app.db.mail.update({ where: { id: person.mailId }, data: { html: link, text: link } });
      const { answer } = await answerOf("owner", path, inputFor(path, { ...place, person }), place);
      if (token.test(JSON.stringify(answer ?? null)))
        showing.push(`${path} of a mail that was ${mailed ? "sent" : "kept"}`);
    }
  expect(showing).toEqual(expected);
});

it.each(["people.page", "people.get", "keys.list", "mails.page", "newsletters.overview", "account.staff"])(
  "lets a viewer read %s",
  async (path) => {
    expect(await faultOf("viewer", path, inputFor(path, ours))).toBe(null);
  },
);

it("lets an editor change a person once for each version they have read", async () => {
  const input = { newsletterId: ours.id, ...person(ours), version: 1 };
  const change = (name: string) => faultOf("editor", "people.change", { ...input, patch: { name } });
  expect(await change("Ada Lovelace")).toBe(null);
  expect(await change("Grace Hopper")).toBe("validation_error");
});
