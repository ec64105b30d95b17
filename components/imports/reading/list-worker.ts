// Reads, validates and checks the pasted list beside the page, so that the page never waits for a long one.

import { createTRPCClient, httpLink } from "@trpc/client";
import { expose, transfer } from "comlink";
import type { ListField, Override } from "@/server/imports/list-parser/list-types";
import type { Consent, StatusRule } from "@/server/imports/schema/imports";
import { readKnown } from "@/server/imports/schema/known-addresses";
import { transformer } from "@/server/kernel/wire";
import { defaultStatusOf } from "@/server/subscribers/default-status";
import type { Status } from "@/server/subscribers/status-moves";
import type { AppRouter } from "@/server/trpc/router";
import { RejectedError, type Rejection, rejectionOf } from "../../ui/error-of";
import type { Chosen, FilesRead } from "../files/file-types";
import { bulkCurl, mostInOneCall } from "./bulk-curl";
import { DraftStore } from "./draft-store";
import { ListReading } from "./list-reading";
import type { CheckedPlan, Draft, Group, Reading } from "./messages";
import { ListUpload } from "./upload-list";

/** Hears how much of the list is uploaded, from 0 to 1. */
export type OnShare = (share: number) => void;

const server = createTRPCClient<AppRouter>({ links: [httpLink({ url: "/api/trpc", transformer })] });

const drafts = new DraftStore();
let newsletterId = "";
let appUrl = "";
let draft: Draft = { text: "", fileName: null, override: {}, kept: [], importId: null };
/** The newsletter's, which columns can be about; null until the server has told them. */
let fields: ListField[] | null = null;
let reading = new ListReading(0, { text: "", override: {}, fileName: null }, {});
const kept = new Set<string>();
// Learned from the server by a check, and true for as long as the page stands.
const known = new Map<string, Status>();
const suppressed = new Set<string>();
const trustedDomains = new Set<string>();
const context = { kept, known, suppressed, trustedDomains };
/** The last plan, which the next one replaces. */
let planned: { importId: string } | null = null;
/** An upload that was interrupted: the next check of the same list goes on with it. */
let interrupted: { upload: ListUpload; of: string } | null = null;

const worker = {
  /** @returns the draft of this newsletter, or null */
  async open(place: { newsletterId: string; appUrl: string }): Promise<Draft | null> {
    ({ newsletterId, appUrl } = place);
    const found = await drafts.find(newsletterId);
    if (found?.importId && (await isTaken(found.importId))) return null;
    for (const key of found?.kept ?? []) kept.add(key);
    return found;
  },

  async read(version: number, text: string, override: Override, fileName: string | null): Promise<Reading> {
    // What was kept in one list means nothing for another.
    if (text === "") kept.clear();
    draft = { text, fileName, override, kept: [...kept], importId: null };
    // First, and without waiting: who reloads the page in this moment loses nothing.
    drafts.save(newsletterId, draft);
    // Offline a list is read all the same, and the next reading asks again.
    fields ??= await server.fields.list.query({ newsletterId }).catch(() => null);
    const known = { ...override, ...(fields && { fields }) };
    reading = new ListReading(version, { text, override: known, fileName }, context);
    const summary = reading.summary(planned !== null);
    return sent(summary, summary);
  },

  /** A field was defined: the next reading asks for all. */
  async forgetFields(): Promise<void> {
    fields = null;
  },

  /** Keeps an address (or all of an `@domain`) although it looks mistyped; null forgets every Keep. */
  async keep(key: string | null): Promise<Reading> {
    if (key === null) kept.clear();
    else kept.add(key);
    draft.kept = [...kept];
    drafts.save(newsletterId, draft);
    reading.validateAgain(context);
    const summary = reading.summary(planned !== null);
    return sent(summary, summary);
  },

  async items(group: Group | null, from: number, to: number, rule: StatusRule) {
    return { version: reading.version, items: reading.items(group, from, to, rule) };
  },

  async fixDomain(domain: string) {
    return { version: reading.version, edits: reading.domainEdits(domain) };
  },

  async next(after: number, back: boolean) {
    return { version: reading.version, item: reading.next(after, back) };
  },

  /** What reads files is loaded when there are some. */
  async files(files: File[], chosen: Chosen): Promise<FilesRead> {
    const { takeFiles } = await import("../files/take-files");
    return takeFiles(files, chosen);
  },

  async check(rule: StatusRule, onShare: OnShare): Promise<CheckedPlan> {
    let plan = await checkOnce(rule, onShare);
    // A check may tell that a domain is right although it looks mistyped: then its people belong to the plan, too.
    if (reading.fingerprint() !== plan.fingerprint) plan = await checkOnce(rule, onShare);
    return sent(plan, plan.reading);
  },

  async commit(importId: string, digest: string, consent: Consent) {
    const record = await asked(server.imports.commit.mutate({ newsletterId, importId, digest, consent }));
    planned = null;
    // Stays until the import is done: who cancels it finds the list again.
    draft.importId = importId;
    await drafts.save(newsletterId, draft);
    return record;
  },

  rejected: (importId: string) => asked(server.imports.rejected.query({ newsletterId, importId })),

  async apiCall(rule: StatusRule): Promise<string | null> {
    const rows = reading.rows(rule);
    return rows.length > mostInOneCall ? null : bulkCurl(appUrl, rows, defaultStatusOf(rule));
  },
};
export type ListWorker = typeof worker;

// An error loses what it carries on its way to the page; a rejection is plain data.
const reject = (rejection: Rejection) => Promise.reject(rejection);
const asked = <T>(call: Promise<T>): Promise<T> => call.catch((error) => reject(rejectionOf(error)));

/** Transfers the marks of a reading rather than copying them. */
function sent<T>(result: T, { marks: { from, to, group } }: Reading): T {
  return transfer(result, [from.buffer, to.buffer, group.buffer]);
}

const stopped: Rejection = {
  message:
    "The upload stopped because Rollcall can't be reached. No people were added. Check your connection, then check the list again: the upload continues where it stopped.",
  errors: {},
  code: null,
};

function uploadOf(checked: ListReading, rule: StatusRule): ListUpload {
  return new ListUpload(
    server.imports,
    { newsletterId, ...(planned && { replaces: planned.importId }) },
    {
      rows: checked.rows(rule),
      rejected: checked.rejected(),
      fileName: draft.fileName,
      statusRule: rule,
      answers: draft.override.answers ?? {},
    },
  );
}

async function checkOnce(rule: StatusRule, onShare: OnShare): Promise<CheckedPlan> {
  const checked = reading;
  const fingerprint = checked.fingerprint();
  const rejected = checked.rejected().length;
  const of = JSON.stringify([fingerprint, rule, draft.fileName, draft.override.answers]);
  const upload = interrupted?.of === of ? interrupted.upload : uploadOf(checked, rule);
  interrupted = { upload, of };
  const { importId, digest, counts, stillHere, relatedOptOuts, ...learned } = await asked(
    upload.plan(onShare).catch((error) => {
      // The server has rejected the list: another try begins anew.
      if (["validation_error", "not_found"].includes(error.data?.code)) interrupted = null;
      throw error.data ? error : new RejectedError(stopped);
    }),
  );
  interrupted = null;
  planned = { importId };
  for (const [canonical, status] of readKnown(learned.known)) {
    if (status === "suppressed") suppressed.add(canonical);
    else known.set(canonical, status);
  }
  for (const domain of learned.trustedDomains) trustedDomains.add(domain);
  reading.validateAgain(context);
  return {
    importId,
    digest,
    counts,
    stillHere,
    relatedOptOuts,
    fingerprint,
    statusRule: rule,
    rejected,
    reading: reading.summary(true),
  };
}

/** Whether an import has taken this list in, or is about to: then the form begins anew. */
async function isTaken(importId: string): Promise<boolean> {
  const record = await server.imports.get.query({ newsletterId, importId }).catch(() => null);
  return record !== null && ["running", "done", "undoing", "undone"].includes(record.state);
}

expose(worker);
