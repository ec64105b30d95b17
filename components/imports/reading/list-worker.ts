// Reads, validates and checks the pasted list in a worker, so a long list never blocks the page.

import { createTRPCClient, httpLink } from "@trpc/client";
import { expose, transfer } from "comlink";
import type { ListField, Override } from "@/server/imports/list-parser/list-types";
import type { StatusRule } from "@/server/imports/schema/imports";
import { entriesOfKnownAddresses } from "@/server/imports/schema/known-addresses";
import { transformer } from "@/server/kernel/trpc-transformer";
import type { Status } from "@/server/subscribers/status-moves";
import type { AppRouter } from "@/server/trpc/router";
import { RejectedError, type Rejection, rejectionOf } from "../../ui/error-of";
import type { Chosen } from "../files/file-types";
import type { NamedFile } from "../files/read-file";
import { type Draft, findDraft, saveDraft } from "./draft-store";
import { ListReading, type Reading } from "./list-reading";
import type { Group } from "./messages";
import { ListUpload } from "./upload-list";

/** Receives the uploaded share of the list, from 0 to 1. */
export type OnShare = (share: number) => void;

const server = createTRPCClient<AppRouter>({ links: [httpLink({ url: "/api/trpc", transformer })] });

let newsletterId = "";
let draft: Omit<Draft, "kept"> = { text: "", fileName: null, override: {}, importId: null };
/** The newsletter's fields, which columns can be about; null until the server sends them. */
let fields: ListField[] | null = null;
/** Counts the changes of the list and its corrections. */
let revision = 0;
let source = "";
let reading = new ListReading(0, { text: "", override: {}, fileName: null }, {});
const kept = new Set<string>();
// Results of server checks, valid for the lifetime of the page.
const known = new Map<string, Status>();
const suppressed = new Set<string>();
const trustedDomains = new Set<string>();
const context = { kept, known, suppressed, trustedDomains };
/** The last plan. The next plan replaces it. */
let planned: { importId: string } | null = null;
/** An interrupted upload. The next check of the same list continues it. */
let interrupted: { upload: ListUpload; of: string } | null = null;

const worker = {
  /** @returns the draft of this newsletter, or null */
  async open(id: string): Promise<Draft | null> {
    newsletterId = id;
    const found = await findDraft(newsletterId);
    if (found?.importId && (await isTaken(found.importId))) return null;
    for (const key of found?.kept ?? []) kept.add(key);
    return found;
  },

  async read(version: number, text: string, override: Override, fileName: string | null): Promise<Reading> {
    // Kept addresses of one list don't apply to another.
    if (text === "") kept.clear();
    draft = { text, fileName, override, importId: null };
    // The draft is saved first and without waiting, so a reload at this moment loses nothing.
    void save();
    // Offline, the list is read without fields. The next reading requests them again.
    fields ??= await server.fields.list.query({ newsletterId }).catch(() => null);
    const withFields = { ...override, ...(fields && { fields }) };
    reading = new ListReading(version, { text, override: withFields, fileName }, context);
    const read = JSON.stringify([version, override, fileName, fields]);
    if (read !== source) revision++;
    source = read;
    return summarize();
  },

  /** Makes the next reading fetch all fields, after a field was defined. */
  async forgetFields(): Promise<void> {
    fields = null;
  },

  /** Keeps an address, or all of an `@domain`, although it looks mistyped. Null clears all kept addresses. */
  async keep(key: string | null): Promise<Reading> {
    if (key === null) kept.clear();
    else kept.add(key);
    void save();
    reading.validateAgain(context);
    revision++;
    return summarize();
  },

  async items(group: Group | null, from: number, to: number, rule: StatusRule) {
    return { version: reading.version, items: reading.items(group, from, to, rule) };
  },

  async fixDomain(domain: string) {
    return { version: reading.version, edits: reading.domainEdits(domain) };
  },

  /** Loads the file readers only when there is a file. */
  async file(file: File, chosen: Chosen): Promise<NamedFile> {
    const { readFile } = await import("../files/read-file");
    return readFile(file, chosen).catch(({ message }) => reject({ message, errors: {}, code: null }));
  },

  async check(rule: StatusRule, onShare: OnShare) {
    const rows = reading.rows(rule).length;
    const plan = await checkOnce(rule, onShare);
    // A check may confirm a domain that looks mistyped. Then its people also belong to the plan.
    return plan.reading.rows === rows ? plan : checkOnce(rule, onShare);
  },

  /** Marks the draft. It stays until the import is done, so cancelling the import brings the list back. */
  async committed(importId: string): Promise<void> {
    planned = null;
    draft.importId = importId;
    await save();
  },

  rejected: (importId: string) => asked(server.imports.rejected.query({ newsletterId, importId })),
};
export type ListWorker = typeof worker;

const save = () => saveDraft(newsletterId, { ...draft, kept: [...kept] });

// An Error loses its extra properties on its way to the page, so a rejection is plain data.
const reject = (rejection: Rejection) => Promise.reject(rejection);
const asked = <T>(call: Promise<T>): Promise<T> => call.catch((error) => reject(rejectionOf(error)));

/** Summarizes the reading. Its marks are transferred instead of copied. */
function summarize(): Reading {
  const summary = { ...reading.summary(), revision };
  const { from, to, group } = summary.marks;
  return transfer(summary, [from.buffer, to.buffer, group.buffer]);
}

const stopped: Rejection = {
  message:
    "The upload stopped because Rollcall can't be reached. No people were added. Check your connection, then check the list again: the upload continues where it stopped.",
  errors: {},
  code: null,
};

function uploadOf(rule: StatusRule): ListUpload {
  return new ListUpload(
    server.imports,
    { newsletterId, ...(planned && { replaces: planned.importId }) },
    {
      rows: reading.rows(rule),
      rejected: reading.rejected(),
      fileName: draft.fileName,
      statusRule: rule,
      answers: draft.override.answers ?? {},
    },
  );
}

async function checkOnce(rule: StatusRule, onShare: OnShare) {
  const rejected = reading.rejected().length;
  // The list may change during the check.
  const checked = revision;
  const of = `${checked} ${rule}`;
  const upload = interrupted?.of === of ? interrupted.upload : uploadOf(rule);
  interrupted = { upload, of };
  const {
    known: addresses,
    trustedDomains: domains,
    ...plan
  } = await asked(
    upload.plan(onShare).catch((error) => {
      // The server rejected the list, so the next try starts a new upload.
      if (["validation_error", "not_found"].includes(error.data?.code)) interrupted = null;
      throw error.data ? error : new RejectedError(stopped);
    }),
  );
  interrupted = null;
  planned = plan;
  for (const [canonical, status] of entriesOfKnownAddresses(addresses)) {
    if (status === "suppressed") suppressed.add(canonical);
    else known.set(canonical, status);
  }
  for (const domain of domains) trustedDomains.add(domain);
  reading.validateAgain(context);
  return { ...plan, statusRule: rule, revision: checked, rejected, reading: summarize() };
}

export type CheckedPlan = Awaited<ReturnType<typeof checkOnce>>;

/** Whether an import stored this list, or is about to. Then the form starts empty. */
async function isTaken(importId: string): Promise<boolean> {
  const record = await server.imports.get.query({ newsletterId, importId }).catch(() => null);
  return record !== null && ["running", "done", "undoing", "undone"].includes(record.state);
}

expose(worker);
