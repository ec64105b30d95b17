import { TRPCClientError } from "@trpc/client";
import { addedBy, type ImportState, isUnderWay } from "../../server/contract/imports";
import { readKnown } from "../../server/contract/known-addresses";
import type { Product } from "../../server/test/product";
import { BULK, SUBSCRIBERS } from "../contract/client";
import { payloadOf, sendWebhook } from "../fixtures/fake-resend-webhooks";
import type { Staff } from "../fixtures/staff";
import type { Site } from "./site";

export const WEBHOOK_SECRET = `whsec_${Buffer.from("a secret of thirty-two bytes, yes").toString("base64")}`;
const SUPPRESSIONS = "/api/v1/suppressions";

/** A number generator that a seed repeats (mulberry32, public domain). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Somebody said no: between `start` and `end` (ms), by their own act or the newsletter's word for it. */
type Leave = {
  address: string;
  kind: "left" | "complained" | "denied" | "suppressed";
  start: number;
  by?: string;
};
/** Somebody pressed the link of a mail that had left by `mailed`. */
type Press = { address: string; mailed: number; end: number };

/** What the steps did that counts, told by nobody but the steps themselves; by address, for a day has many thousand. */
export class Ledger {
  private readonly leaves = new Map<string, Leave[]>();
  private readonly presses = new Map<string, Press[]>();

  left(leave: Leave): void {
    this.leaves.set(leave.address, [...(this.leaves.get(leave.address) ?? []), leave]);
  }

  pressed(press: Press): void {
    this.presses.set(press.address, [...(this.presses.get(press.address) ?? []), press]);
  }

  /** How often somebody said no. */
  get size(): number {
    return [...this.leaves.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Forgets the leaves of a bulk action that is undone, or of a suppression that is removed. */
  withdraw(by: string): void {
    for (const [address, leaves] of this.leaves)
      this.leaves.set(
        address,
        leaves.filter((leave) => leave.by !== by),
      );
  }

  /** Why this address must not be active; null when it may be. */
  objection(address: string): Leave | null {
    const presses = this.presses.get(address) ?? [];
    const isAnswered = (leave: Leave) =>
      leave.kind !== "denied" &&
      presses.some(
        ({ mailed, end }) => end >= leave.start && (leave.kind === "complained" || mailed >= leave.start),
      );
    return this.leaves.get(address)?.find((leave) => !isAnswered(leave)) ?? null;
  }
}

export type Person = { id: string; email: string; version: number };
type Undo = { kind: "bulk" | "import"; id: string };

/** Everything a step may use: two processes, who is on the list, and chance. */
export type Stage = {
  site: Site;
  processes: [Product, Product];
  staff: Staff;
  ledger: Ledger;
  random(): number;
  /** As they were when the round began. */
  people: Person[];
  undoable: Undo[];
  suppressions: { id: string; address: string }[];
  /** Rounds that change addresses unsubscribe nobody in bulk: else nobody could tell which address an action meant. */
  changesAddresses: boolean;
  /** Counts from 0. */
  round: number;
};

/** Addresses in use at a time. Who leaves is suppressed, often for good: so others take their places, round by round. */
const POOL = 120;
const NEW_EACH_ROUND = 60;
const pick = <T>({ random }: Stage, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
const address = ({ random, round }: Stage) =>
  `p${round * NEW_EACH_ROUND + Math.floor(random() * POOL)}@d${Math.floor(random() * 2)}.example`;
const status = (stage: Stage) => pick(stage, ["active", "active", "pending"] as const);
const somebody = (stage: Stage): Person =>
  stage.people.length > 0
    ? pick(stage, stage.people)
    : { id: "01a1fab8-221d-73cc-bf6f-88bbf811ce3c", email: "", version: 1 };
const url = (stage: Stage) => pick(stage, stage.processes).url;
const procedures = (stage: Stage) => stage.staff.at(url(stage)).trpc;

async function rest(stage: Stage, method: string, path: string, body?: unknown) {
  const answer = await fetch(`${url(stage)}${path}`, {
    method,
    headers: { authorization: `Bearer ${stage.site.key}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const json = (await answer.json()) as { data?: never; code?: string };
  if (answer.status >= 500)
    throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(json)}`);
  return { status: answer.status, data: json.data as unknown };
}

/** Staff are refused much, and that is the point; only a fault of the server's is one here. */
async function allowed<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof TRPCClientError && Number(error.data?.httpStatus) < 500) return null;
    throw error;
  }
}

async function unsubscribe(stage: Stage) {
  const start = Date.now();
  const { status, data } = await rest(stage, "DELETE", `${SUBSCRIBERS}/${somebody(stage).id}`);
  if (status === 200) stage.ledger.left({ address: (data as Person).email, kind: "left", start });
}

/** Presses a button on the page of a mailed link, of the latest mails more often than of old ones. */
async function press(stage: Stage, action: "confirm" | "deny" | "unsubscribe") {
  const { mails } = stage.site.fake;
  if (mails.length === 0) return;
  const mail = mails[mails.length - 1 - Math.floor(stage.random() ** 3 * mails.length)];
  const to = [mail?.to].flat()[0] as string;
  const path = /\/confirm\/[A-Za-z0-9_-]+/.exec(mail?.text ?? "")?.[0];
  if (!mail || !path) throw new Error("a mail without a link");
  const start = Date.now();
  const answer = await fetch(url(stage) + path, { method: "POST", body: new URLSearchParams({ action }) });
  const text = await answer.text();
  if (answer.status >= 500) throw new Error(`${action} answered ${answer.status}: ${text}`);
  if (action === "confirm") {
    stage.ledger.pressed({ address: to, mailed: Date.parse(mail.at), end: Date.now() });
    return;
  }
  // The page tells what it did in words of four languages: the list tells it as well.
  const [person] = await stage.site.sql<{ status: string }>(
    "SELECT status FROM subscribers WHERE email = $1",
    [to],
  );
  const [denied] = await stage.site.sql(
    "SELECT 1 FROM suppressions WHERE reason = 'denied' AND digest = address_digest($1, $2)",
    [stage.site.newsletterId, to],
  );
  if (action === "deny" && denied && !person) stage.ledger.left({ address: to, kind: "denied", start });
}

async function report(stage: Stage, type: "email.complained" | "email.bounced") {
  const { mails } = stage.site.fake;
  if (mails.length === 0) return;
  const mail = pick(stage, mails);
  const start = Date.now();
  const target = { url: `${url(stage)}/api/webhooks/resend`, secret: WEBHOOK_SECRET };
  const { status } = await sendWebhook(target, payloadOf(mail, type));
  if (status >= 500) throw new Error(`a webhook answered ${status}`);
  // Of a person who was erased meanwhile nobody knows any more whose mail it was.
  const known = await stage.site.sql("SELECT 1 FROM mails WHERE provider_id = $1", [mail.id]);
  if (type === "email.complained" && known.length > 0)
    stage.ledger.left({ address: [mail.to].flat()[0] as string, kind: "complained", start });
}

async function suppress(stage: Stage) {
  const start = Date.now();
  const reason = pick(stage, ["unsubscribed", "manual"] as const);
  const email = address(stage);
  const { status, data } = await rest(stage, "POST", SUPPRESSIONS, [{ email, reason }]);
  if (status !== 201) return;
  const [made] = data as [{ id: string }];
  stage.suppressions.push({ id: made.id, address: email });
  stage.ledger.left({ address: email, kind: "suppressed", start, by: made.id });
}

async function unsuppress(stage: Stage) {
  const at = Math.floor(stage.random() * stage.suppressions.length);
  const [one] = stage.suppressions.splice(at, 1);
  if (one && (await rest(stage, "DELETE", `${SUPPRESSIONS}/${one.id}`)).status === 200)
    stage.ledger.withdraw(one.id);
}

async function bulkAction(stage: Stage, kind: "activate" | "unsubscribe" | "erase" | "forget" | "confirm") {
  const people = Array.from({ length: 1 + Math.floor(stage.random() * 8) }, () => somebody(stage));
  const start = Date.now();
  const { newsletterId } = stage.site;
  const target = { ids: people.map(({ id }) => id) };
  const action = await allowed(procedures(stage).bulkActions.start.mutate({ newsletterId, kind, target }));
  if (!action) return;
  if (kind !== "erase" && kind !== "forget") stage.undoable.push({ kind: "bulk", id: action.id });
  if (kind !== "unsubscribe") return;
  const changed = await stage.site.sql<{ email: string }>(
    "SELECT s.email FROM bulk_action_changes c JOIN subscribers s ON s.id = c.subscriber_id WHERE c.bulk_action_id = $1",
    [action.id],
  );
  for (const { email } of changed) stage.ledger.left({ address: email, kind: "left", start, by: action.id });
}

async function undo(stage: Stage) {
  const [one] = stage.undoable.splice(Math.floor(stage.random() * stage.undoable.length), 1);
  if (!one) return;
  const { newsletterId } = stage.site;
  if (one.kind === "import") {
    if (!(await allowed(procedures(stage).imports.undo.mutate({ newsletterId, importId: one.id })))) return;
    if ((await endOf(stage, one.id)) === "undone") stage.ledger.withdraw(one.id);
  } else if (await allowed(procedures(stage).bulkActions.undo.mutate({ newsletterId, id: one.id })))
    stage.ledger.withdraw(one.id);
}

/** Waits for the end of an import or of its undo. */
async function endOf(stage: Stage, importId: string): Promise<ImportState> {
  for (;;) {
    const { newsletterId } = stage.site;
    const { state } = await procedures(stage).imports.get.query({ newsletterId, importId });
    if (!isUnderWay(state)) return state;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Why somebody is not to be written to, as a list says it, and when. */
const leavingOf = (stage: Stage) => ({
  reason: pick(stage, ["unsubscribed", "unsubscribed", "bounced", "complained"] as const),
  at: pick(stage, [null, "2024-03-02T09:30:00Z"]),
});

async function importList(stage: Stage) {
  const { newsletterId } = stage.site;
  const start = Date.now();
  const emails = [
    ...new Set(Array.from({ length: 1 + Math.floor(stage.random() * 6) }, () => address(stage))),
  ];
  const rows = emails.map((email, i) => ({
    line: i + 1,
    email,
    status: status(stage),
    ...(stage.random() < 0.4 && { leaving: leavingOf(stage) }),
  }));
  const plan = { rows, rejected: [], fileName: null, defaultStatus: "active" as const };
  const trpc = procedures(stage);
  const made = await allowed(trpc.imports.plan.mutate({ newsletterId, plan }));
  if (!made) return;
  const { importId, digest, counts } = made;
  const people = addedBy(counts);
  const consent = people > 0 ? { source: "the fair", wording: "", people } : null;
  await allowed(trpc.imports.commit.mutate({ newsletterId, importId, digest, consent }));
  if ((await endOf(stage, importId)) !== "done") return;
  stage.undoable.push({ kind: "import", id: importId });
  const known = new Set(readKnown(made.known).map(([canonical]) => canonical));
  for (const { email, leaving } of rows)
    if (leaving && !known.has(email))
      stage.ledger.left({ address: email, kind: "left", start, by: importId });
}

async function change(stage: Stage, adapter: "rest" | "dashboard") {
  const { id, version } = somebody(stage);
  const patch = {
    ...(stage.changesAddresses && stage.random() < 0.3 && { email: address(stage) }),
    ...(stage.random() < 0.8 && { status: status(stage) }),
    name: "Ada",
  };
  if (adapter === "rest") await rest(stage, "PUT", `${SUBSCRIBERS}/${id}`, patch);
  else {
    const { newsletterId } = stage.site;
    await allowed(procedures(stage).people.change.mutate({ newsletterId, id, version, patch }));
  }
}

const add = (stage: Stage) => ({ email: address(stage), status: status(stage) });

/** What may happen, and how often. */
const steps: [weight: number, step: (stage: Stage) => Promise<unknown>][] = [
  [22, (stage) => rest(stage, "POST", SUBSCRIBERS, add(stage))],
  [8, (stage) => rest(stage, "POST", `${BULK}?on_duplicate=skip`, [add(stage), add(stage), add(stage)])],
  [18, (stage) => change(stage, "rest")],
  [6, (stage) => change(stage, "dashboard")],
  [14, unsubscribe],
  [16, (stage) => press(stage, "confirm")],
  [1, (stage) => press(stage, "unsubscribe")],
  [0.3, (stage) => press(stage, "deny")],
  [0.7, (stage) => report(stage, "email.complained")],
  [0.7, (stage) => report(stage, "email.bounced")],
  [
    2,
    (stage) =>
      allowed(
        procedures(stage).people.add.mutate({ newsletterId: stage.site.newsletterId, person: add(stage) }),
      ),
  ],
  [
    2,
    (stage) =>
      allowed(
        procedures(stage).people.askAgain.mutate({
          newsletterId: stage.site.newsletterId,
          id: somebody(stage).id,
        }),
      ),
  ],
  [2, (stage) => bulkAction(stage, "activate")],
  [2, (stage) => (stage.changesAddresses ? bulkAction(stage, "confirm") : bulkAction(stage, "unsubscribe"))],
  [2, (stage) => bulkAction(stage, stage.random() < 0.5 ? "erase" : "forget")],
  [2, undo],
  [1.5, importList],
  [1, suppress],
  [0.5, unsuppress],
];
const total = steps.reduce((sum, [weight]) => sum + weight, 0);

export function playStep(stage: Stage): Promise<unknown> {
  let at = stage.random() * total;
  for (const [weight, step] of steps) {
    at -= weight;
    if (at < 0) return step(stage);
  }
  return Promise.resolve();
}
