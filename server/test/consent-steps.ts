import { ListUpload } from "../../components/imports/reading/upload-list";
import { BULK, SUBSCRIBERS } from "../../e2e/contract/client";
import { payloadOf, sendWebhook } from "../../e2e/fixtures/fake-resend-webhooks";
import { countAdded } from "../imports/schema/import-counts";
import type { ImportState } from "../imports/schema/imports";
import { entriesOfKnownAddresses } from "../imports/schema/known-addresses";
import { isUnderWay } from "../kernel/work-progress";
import { signUpFormMs } from "../sign-up/schema/sign-up-page";
import {
  add,
  address,
  allowed,
  newsletterOf,
  type Person,
  type Play,
  personsOf,
  pick,
  press,
  procedures,
  rest,
  somebody,
  status,
  url,
} from "./consent-play";
import { WEBHOOK_SECRET } from "./consent-stage";

type Step = (play: Play) => Promise<unknown>;

async function unsubscribeByKey(play: Play) {
  const start = Date.now();
  const [newsletterId] = play.newsletterIds;
  const { status, data } = await rest(play, "DELETE", `${SUBSCRIBERS}/${somebody(play, newsletterId).id}`);
  if (status === 200)
    play.ledger.recordOptOut({ newsletterId, email: (data as Person).email }, { kind: "left", start });
}

/** Picks an email with such a link. Recent emails are more likely than old ones. */
function mailWith(play: Play, page: "confirm" | "preferences") {
  const { mails } = play.fake;
  const mail = mails[mails.length - 1 - Math.floor(play.random() ** 3 * mails.length)];
  const link = new RegExp(`https?://\\S+/${page}/[A-Za-z0-9_-]+`).exec(mail?.text ?? "")?.[0];
  const token = link?.split("/").at(-1) ?? "";
  const { links } = play.app;
  const claims = page === "confirm" ? links.readConfirmation(token) : links.readPreferences(token);
  if (!mail || !link || !claims) return null;
  return { link, at: Date.parse(mail.at), email: [mail.to].flat()[0] as string, claims };
}

async function answerConfirmation(play: Play, action: "confirm" | "deny" | "unsubscribe") {
  const mail = mailWith(play, "confirm");
  if (!mail) return;
  const start = Date.now();
  const place = { newsletterId: mail.claims.newsletterId, email: mail.email };
  const page = await press(play, mail.link, { action });
  if (action === "confirm") play.ledger.recordConfirmation(place, { mailed: mail.at, end: Date.now() });
  else if (page.includes("You’re off the list.")) play.ledger.recordOptOut(place, { kind: "left", start });
  else if (page.includes("Thank you. Your address is off the list"))
    play.ledger.recordOptOut(place, { kind: "denied", start });
}

/** Submits a form with a person's unsubscribe or preferences link. */
async function pressOwn(
  play: Play,
  person: Pick<Person, "newsletterId" | "id">,
  button: (action: string) => Promise<string>,
) {
  const twice = ["unsubscribe", "comeBack"] as const;
  const action = pick(play, [...twice, ...twice, "unsubscribeAll", "preferences"] as const);
  if (action === "unsubscribeAll" && play.changesAddresses) return;
  const ids = [person.id];
  if (action === "unsubscribeAll")
    for (const { id } of await play.sql<{ id: string }>(
      "SELECT o.id FROM subscribers s JOIN subscribers o ON o.email_canonical = s.email_canonical WHERE s.id = $1",
      [person.id],
    ))
      ids.push(id);
  const start = Date.now();
  const page = await button(action);
  const isNo = action === "unsubscribe" || action === "unsubscribeAll";
  if (!isNo || page.includes("This link doesn’t work")) return;
  for (const one of await personsOf(play, ids)) play.ledger.recordOptOut(one, { kind: "left", start });
}

/** Uses a person's unsubscribe link, or the link of the same address on the other newsletter. */
async function useUnsubscribeLink(play: Play) {
  const rows = await play.sql<Pick<Person, "newsletterId" | "id">>(
    `SELECT newsletter_id AS "newsletterId", id FROM subscribers
     WHERE email_canonical = (SELECT email_canonical FROM subscribers WHERE id = $1)`,
    [somebody(play).id],
  );
  if (rows.length === 0) return;
  const person = pick(play, rows);
  const link = play.app.links.unsubscribeUrl({ newsletterId: person.newsletterId, subscriberId: person.id });
  await pressOwn(play, person, (action) => press(play, link, { action }));
}

async function report(play: Play, type: "email.complained" | "email.bounced") {
  const { mails } = play.fake;
  if (mails.length === 0) return;
  const mail = pick(play, mails);
  const start = Date.now();
  const target = { url: `${url(play)}/api/webhooks/resend`, secret: WEBHOOK_SECRET };
  const { status } = await sendWebhook(target, payloadOf(mail, type));
  if (status >= 500) throw new Error(`a webhook answered ${status}`);
  // After a person was erased, their emails can't be matched any more.
  const [known] = await play.sql<{ newsletterId: string }>(
    `SELECT newsletter_id AS "newsletterId" FROM mails WHERE provider_id = $1`,
    [mail.id],
  );
  const email = [mail.to].flat()[0] as string;
  if (type === "email.complained" && known)
    play.ledger.recordOptOut({ ...known, email }, { kind: "complained", start });
}

async function suppress(play: Play) {
  const start = Date.now();
  const reason = pick(play, ["unsubscribed", "manual"] as const);
  const email = address(play);
  const { status, data } = await rest(play, "POST", "/api/v1/suppressions", [{ email, reason }]);
  if (status !== 201) return;
  const [made] = data as [{ id: string }];
  play.suppressions.push({ id: made.id, email });
  const [newsletterId] = play.newsletterIds;
  play.ledger.recordOptOut({ newsletterId, email }, { kind: "suppressed", start, by: made.id });
}

async function unsuppress(play: Play) {
  const [one] = play.suppressions.splice(Math.floor(play.random() * play.suppressions.length), 1);
  if (one && (await rest(play, "DELETE", `/api/v1/suppressions/${one.id}`)).status === 200)
    play.ledger.withdraw(one.id);
}

async function bulkAction(play: Play, kind: "activate" | "unsubscribe" | "erase" | "forget" | "confirm") {
  const newsletterId = newsletterOf(play);
  const ids = Array.from(
    { length: 1 + Math.floor(play.random() * 8) },
    () => somebody(play, newsletterId).id,
  );
  const byFilter = play.random() < 0.2;
  const search = address(play).slice(0, -"@d0.example".length);
  const matching = {
    match: "all" as const,
    conditions: [{ about: "search" as const, value: search }],
    not: [],
  };
  const target = byFilter ? { filter: { filters: [matching] } } : { ids };
  const start = Date.now();
  const action = await allowed(procedures(play).bulkActions.start.mutate({ newsletterId, kind, target }));
  if (!action) return;
  if (kind === "unsubscribe") {
    play.touched = play.people.filter(({ id }) => ids.includes(id));
    const changed = await play.sql<{ id: string }>(
      "SELECT subscriber_id AS id FROM bulk_action_changes WHERE bulk_action_id = $1",
      [action.id],
    );
    // Includes hand-picked people who were already unsubscribed, because staff confirmed their opt-out.
    for (const one of await personsOf(play, byFilter ? changed.map(({ id }) => id) : ids))
      play.ledger.recordOptOut(one, { kind: "left", start, by: action.id });
  }
  // Added last, because an undo withdraws what the ledger already contains.
  if (kind !== "erase" && kind !== "forget")
    play.undoable.push({ newsletterId, kind: "bulk", id: action.id });
}

async function undo(play: Play) {
  // Picks a recent one. Older ones expired, or their people changed since.
  const [one] = play.undoable.splice(-1 - Math.floor(play.random() * Math.min(6, play.undoable.length)), 1);
  if (!one) return;
  const { newsletterId, id } = one;
  if (one.kind === "import") {
    // Only an undo with this option removes the list's opt-outs.
    const removeOptOuts = play.random() < 0.5;
    const undone = procedures(play).imports.undo.mutate({ newsletterId, importId: id, removeOptOuts });
    if (!(await allowed(undone))) return;
    if ((await endOf(play, newsletterId, id)) === "undone" && removeOptOuts) play.ledger.withdraw(id);
  } else if (await allowed(procedures(play).bulkActions.undo.mutate({ newsletterId, id })))
    play.ledger.withdraw(id);
}

/** Runs started imports and undos until this one has ended. */
async function endOf(play: Play, newsletterId: string, importId: string): Promise<ImportState> {
  for (;;) {
    await play.jobs.runDue("work");
    const { state } = await procedures(play).imports.get.query({ newsletterId, importId });
    if (!isUnderWay(state)) return state;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Random reason and date of an opt-out in an imported list. */
const leavingOf = (play: Play) => ({
  reason: pick(play, ["unsubscribed", "unsubscribed", "bounced", "complained"] as const),
  at: pick(play, [null, "2024-03-02T09:30:00Z"]),
});

async function importList(play: Play) {
  const newsletterId = newsletterOf(play);
  const start = Date.now();
  const emails = [
    ...new Set(Array.from({ length: 1 + Math.floor(play.random() * 10) }, () => address(play))),
  ];
  const rows = emails.map((email, i) => ({
    line: i + 1,
    email,
    status: status(play),
    ...(play.random() < 0.4 && { leaving: leavingOf(play) }),
  }));
  const plan = { rows, rejected: [], fileName: null, statusRule: "active" as const };
  const { imports } = procedures(play);
  const made = await allowed(new ListUpload(imports, { newsletterId }, plan).plan());
  if (!made) return;
  const { importId, digest, counts } = made;
  const people = countAdded(counts);
  const consent = people > 0 ? { source: "the fair", wording: "", people } : null;
  await allowed(imports.commit.mutate({ newsletterId, importId, digest, consent }));
  if ((await endOf(play, newsletterId, importId)) !== "done") return;
  play.undoable.push({ newsletterId, kind: "import", id: importId });
  const known = new Map(entriesOfKnownAddresses(made.known));
  // Active people stay active until staff decide. The import shows them.
  for (const { email } of rows.filter(({ leaving }) => leaving)) {
    const was = known.get(email);
    if (was === undefined)
      play.ledger.recordOptOut({ newsletterId, email }, { kind: "left", start, by: importId });
    else if (was === "unsubscribed")
      play.ledger.recordOptOut({ newsletterId, email }, { kind: "left", start });
  }
}

async function change(play: Play, adapter: "rest" | "dashboard") {
  const { newsletterId, id, version } = somebody(
    play,
    adapter === "rest" ? play.newsletterIds[0] : undefined,
  );
  const patch = {
    ...(play.changesAddresses && play.random() < 0.3 && { email: address(play) }),
    ...(play.random() < 0.8 && { status: status(play) }),
    name: "Ada",
  };
  if (adapter === "rest") await rest(play, "PUT", `${SUBSCRIBERS}/${id}`, patch);
  else await allowed(procedures(play).people.change.mutate({ newsletterId, id, version, patch }));
}

function signUp(play: Play) {
  const [newsletterId] = play.newsletterIds;
  const time = play.app.links.signUpTime(newsletterId, Date.now() - signUpFormMs.least - 1_000);
  return press(play, `${play.app.appUrl}/s/${newsletterId}`, { email: address(play), time, wording: "1" });
}

async function usePreferences(play: Play) {
  const mail = mailWith(play, "preferences");
  if (!mail) return;
  const { newsletterId, subscriberId: id } = mail.claims;
  await pressOwn(play, { newsletterId, id }, (action) =>
    press(play, mail.link, action === "unsubscribe" ? { leave: newsletterId } : { action }),
  );
}

function addByHand(play: Play) {
  const newsletterId = newsletterOf(play);
  return allowed(procedures(play).people.add.mutate({ newsletterId, person: add(play) }));
}

function askAgain(play: Play) {
  const { newsletterId, id } = somebody(play);
  return allowed(procedures(play).people.askAgain.mutate({ newsletterId, id }));
}

/** The possible steps and their weights. */
const steps: [weight: number, step: Step][] = [
  [12, (play) => rest(play, "POST", SUBSCRIBERS, add(play))],
  [6, (play) => rest(play, "POST", `${BULK}?on_duplicate=skip`, [add(play), add(play), add(play)])],
  [10, (play) => change(play, "rest")],
  [4, (play) => change(play, "dashboard")],
  [8, unsubscribeByKey],
  [14, (play) => answerConfirmation(play, "confirm")],
  [1, (play) => answerConfirmation(play, "unsubscribe")],
  [0.3, (play) => answerConfirmation(play, "deny")],
  [7, useUnsubscribeLink],
  [3, usePreferences],
  [3, signUp],
  [0.7, (play) => report(play, "email.complained")],
  [0.7, (play) => report(play, "email.bounced")],
  [4, addByHand],
  [2, askAgain],
  [2, (play) => bulkAction(play, "activate")],
  [6, (play) => bulkAction(play, play.changesAddresses ? "confirm" : "unsubscribe")],
  [1.5, (play) => bulkAction(play, play.random() < 0.5 ? "erase" : "forget")],
  [6, undo],
  [6, importList],
  [1, suppress],
  [0.5, unsuppress],
];
const total = steps.reduce((sum, [weight]) => sum + weight, 0);

export function playStep(play: Play): Promise<unknown> {
  let at = play.random() * total;
  for (const [weight, step] of steps) {
    at -= weight;
    if (at < 0) return step(play);
  }
  return Promise.resolve();
}
