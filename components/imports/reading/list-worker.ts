// Reads, validates and checks the pasted list beside the page, so that the page never waits for a long one.
import { createTRPCClient, httpLink } from "@trpc/client";
import superjson from "superjson";
import type { Status } from "@/server/domain/status-moves";
import type { AppRouter } from "@/server/trpc/router";
import { rejectionOf } from "../../ui/error-of";
import { bulkCurl, mostInOneCall } from "./bulk-curl";
import { DraftStore } from "./draft-store";
import { ListReading } from "./list-reading";
import type { Answered, Asked, CallName, Calls, CheckedPlan, Draft, Reading } from "./messages";
import { readFile } from "./read-file";

const scope = self as unknown as {
  onmessage: ((event: MessageEvent<Asked>) => void) | null;
  postMessage(message: Answered, transfer: Transferable[]): void;
};
// What is sent is plain JSON; looking through 100,000 rows for what is not would take longer than reading them.
const plain = { serialize: (json: unknown) => ({ json }), deserialize: superjson.deserialize };
const server = createTRPCClient<AppRouter>({
  links: [httpLink({ url: "/api/trpc", transformer: { input: plain, output: superjson } })],
});

const drafts = new DraftStore();
let newsletterId = "";
let appUrl = "";
let draft: Draft = { text: "", fileName: null, override: {}, kept: [], importId: null };
let reading = new ListReading(0, "", {}, {});
const kept = new Set<string>();
// Learned from the server by a check, and true for as long as the page stands.
const known = new Map<string, Status>();
const suppressed = new Set<string>();
const trustedDomains = new Set<string>();
const context = { kept, known, suppressed, trustedDomains };

/** The last plan, which the next one replaces. */
let planned: { importId: string } | null = null;

const acts: { [Name in CallName]: (gives: Calls[Name]["gives"]) => Promise<Calls[Name]["answer"]> } = {
  async open(gives) {
    ({ newsletterId, appUrl } = gives);
    const found = await drafts.find(newsletterId);
    if (found?.importId && (await isTaken(found.importId))) return null;
    for (const key of found?.kept ?? []) kept.add(key);
    return found;
  },
  async read({ version, text, override, fileName }) {
    // What was kept in one list says nothing about another.
    if (text === "") kept.clear();
    draft = { text, fileName, override, kept: [...kept], importId: null };
    // First, and without waiting: who reloads the page in this moment loses nothing.
    drafts.save(newsletterId, draft);
    reading = new ListReading(version, text, override, context);
    return reading.summary();
  },
  async keep({ key }) {
    kept.add(key);
    draft.kept = [...kept];
    drafts.save(newsletterId, draft);
    reading.validateAgain(context);
    return reading.summary();
  },
  async items({ group, from, to }) {
    return { version: reading.version, items: reading.items(group, from, to) };
  },
  async askAgain() {
    kept.clear();
    draft.kept = [];
    drafts.save(newsletterId, draft);
    reading.validateAgain(context);
    return reading.summary();
  },
  async fixDomain({ domain }) {
    return { version: reading.version, edits: reading.domainEdits(domain) };
  },
  async next({ after, back }) {
    return { version: reading.version, item: reading.next(after, back) };
  },
  file: ({ file }) => readFile(file),
  async check({ defaultStatus }) {
    let plan = await checkOnce(defaultStatus);
    // A check may teach that a domain is right however it looks: then its people belong into the plan, too.
    if (reading.summary().fingerprint !== plan.fingerprint) plan = await checkOnce(defaultStatus);
    return plan;
  },
  async commit({ importId, digest, consent }) {
    const run = await server.imports.commit.mutate({ newsletterId, importId, digest, consent });
    planned = null;
    // Kept until the run is done: who cancels it finds the list again.
    draft.importId = importId;
    await drafts.save(newsletterId, draft);
    return run;
  },
  rejected: ({ importId }) => server.imports.rejected.query({ newsletterId, importId }),
  async apiCall({ status }) {
    const rows = reading.rows();
    return rows.length > mostInOneCall ? null : bulkCurl(appUrl, rows, status);
  },
};

async function checkOnce(defaultStatus: CheckedPlan["defaultStatus"]): Promise<CheckedPlan> {
  const checked = reading;
  const { fingerprint } = checked.summary();
  const rejected = checked.rejected();
  const plan = await server.imports.plan.mutate({
    newsletterId,
    plan: { rows: checked.rows(), rejected, fileName: draft.fileName, defaultStatus },
    ...(planned && { replaces: planned.importId }),
  });
  const { importId, digest, counts } = plan;
  planned = { importId };
  for (const [canonical, standing] of plan.known) {
    if (standing === "suppressed") suppressed.add(canonical);
    else known.set(canonical, standing);
  }
  for (const domain of plan.trustedDomains) trustedDomains.add(domain);
  reading.validateAgain(context);
  return {
    importId,
    digest,
    counts,
    fingerprint,
    defaultStatus,
    rejected: rejected.length,
    reading: reading.summary(),
  };
}

/** Whether a run has taken this list in, or is about to: then the form begins anew. */
async function isTaken(importId: string): Promise<boolean> {
  const run = await server.imports.get.query({ newsletterId, importId }).catch(() => null);
  return run !== null && ["running", "done", "undone"].includes(run.state);
}

/** The arrays that an answer hands over. */
function handedOver(answer: unknown): Transferable[] {
  const holder = answer as Partial<Reading & CheckedPlan> | null;
  const marks = holder?.marks ?? holder?.reading?.marks;
  return marks ? [marks.from.buffer, marks.to.buffer, marks.group.buffer] : [];
}

scope.onmessage = async ({ data }) => {
  const { number, name, gives } = data;
  try {
    const answer = await (acts[name] as (given: typeof gives) => Promise<Calls[CallName]["answer"]>)(gives);
    scope.postMessage({ number, ok: true, answer }, handedOver(answer));
  } catch (error) {
    scope.postMessage({ number, ok: false, rejection: rejectionOf(error) }, []);
  }
};
