// Reads a list of addresses to suppress, and sends it a chunk at a time: the page never waits for a long one.
import { createTRPCClient, httpLink } from "@trpc/client";
import { expose } from "comlink";
import { transformer } from "@/server/kernel/wire";
import { mostSuppressionsInCall } from "@/server/suppressions/schema/suppressions";
import type { AppRouter } from "@/server/trpc/router";
import { nothingChosen } from "../imports/files/file-types";
import { rejectionOf } from "../ui/error-of";
import { type GivenReason, type OptOut, type OptOuts, readOptOuts } from "./read-opt-outs";

const server = createTRPCClient<AppRouter>({
  links: [httpLink({ url: "/api/trpc", transformer })],
});

/** What a list was read as, without its rows, and how many of them have no reason of their own. */
export type OptOutCounts = Omit<OptOuts, "rows"> & { rows: number; withoutReason: number };
export type OptOutCheck = { known: number; people: number };
export type OptOutsAdded = { added: number; unsubscribed: number };

let rows: OptOut[] = [];
/** Of the list as it is now: what is under way for another ends. */
let version = 0;

function* chunks(): Generator<OptOut[]> {
  for (let at = 0; at < rows.length; at += mostSuppressionsInCall)
    yield rows.slice(at, at + mostSuppressionsInCall);
}

// An error loses what it carries on its way to the page; a rejection is plain data.
const asked = <T>(call: Promise<T>): Promise<T> => call.catch((error) => Promise.reject(rejectionOf(error)));

const worker = {
  read(text: string): OptOutCounts {
    version++;
    const { rows: found, ...counts } = readOptOuts(text);
    rows = found;
    return { ...counts, rows: rows.length, withoutReason: rows.filter(({ reason }) => !reason).length };
  },

  async readFile(file: File): Promise<OptOutCounts> {
    const { takeFiles } = await import("../imports/files/take-files");
    const { text, spans, refused } = await takeFiles([file], nothingChosen);
    if (spans.length > 0) return worker.read(text);
    return Promise.reject({ message: refused.join(" "), errors: {}, code: null });
  },

  /** Asks what the list would do. @returns null when it has changed meanwhile */
  async check(newsletterId: string): Promise<OptOutCheck | null> {
    const mine = version;
    const found = { known: 0, people: 0 };
    for (const chunk of chunks()) {
      const canonicals = chunk.map(({ canonical }) => canonical);
      const { known, people } = await asked(server.suppressions.check.mutate({ newsletterId, canonicals }));
      if (mine !== version) return null;
      found.known += known;
      found.people += people;
    }
    return found;
  },

  /** Suppresses them all. What is sent when a chunk fails stays; sent again, it changes nothing. */
  async send(
    newsletterId: string,
    fallback: GivenReason,
    onProgress: (done: number) => void,
  ): Promise<OptOutsAdded> {
    const source = rows.length === 1 ? "dashboard" : "import";
    const result = { added: 0, unsubscribed: 0 };
    let done = 0;
    for (const chunk of chunks()) {
      const inputs = chunk.map(({ email, reason, date }) => ({
        email,
        reason: reason ?? fallback,
        ...(date && { date }),
      }));
      const continues = done > 0;
      const { added, unsubscribed } = await asked(
        // The schema's input is text; its output is what the type names.
        server.suppressions.add.mutate({ newsletterId, inputs, source, continues }),
      );
      result.added += added;
      result.unsubscribed += unsubscribed;
      done += chunk.length;
      onProgress(done);
    }
    return result;
  },
};
export type OptOutWorker = typeof worker;

expose(worker);
