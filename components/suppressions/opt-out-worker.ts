// Reads a list of addresses to suppress and sends it in chunks. The worker keeps the page responsive.
import { createTRPCClient, httpLink } from "@trpc/client";
import { expose } from "comlink";
import { transformer } from "@/server/kernel/trpc-transformer";
import { maxSuppressionsPerCall } from "@/server/suppressions/schema/suppressions";
import type { AppRouter } from "@/server/trpc/router";
import { rejectionOf } from "../ui/error-of";
import { type GivenReason, type OptOut, type OptOuts, readOptOuts } from "./read-opt-outs";

const server = createTRPCClient<AppRouter>({
  links: [httpLink({ url: "/api/trpc", transformer })],
});

/** The parsed list without its rows, and the number of rows without their own reason. */
export type OptOutCounts = Omit<OptOuts, "rows"> & { rows: number; withoutReason: number };
export type OptOutCheck = { known: number; people: number };
export type OptOutsAdded = { added: number; unsubscribed: number };

let rows: OptOut[] = [];
/** The version of the current list. Work on an older version stops. */
let version = 0;

function* chunks(): Generator<OptOut[]> {
  for (let at = 0; at < rows.length; at += maxSuppressionsPerCall)
    yield rows.slice(at, at + maxSuppressionsPerCall);
}

// An Error loses its extra properties on its way to the page, so a rejection is plain data.
const asked = <T>(call: Promise<T>): Promise<T> => call.catch((error) => Promise.reject(rejectionOf(error)));

const worker = {
  read(text: string): OptOutCounts {
    version++;
    const { rows: found, ...counts } = readOptOuts(text);
    rows = found;
    return { ...counts, rows: rows.length, withoutReason: rows.filter(({ reason }) => !reason).length };
  },

  async readFile(file: File): Promise<OptOutCounts> {
    const files = await import("../imports/files/read-file");
    return files.readFile(file, {}).then(
      ({ text }) => worker.read(text),
      ({ message }) => Promise.reject({ message, errors: {}, code: null }),
    );
  },

  /** Asks the server for the list's expected result. @returns null when the list has changed meanwhile */
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

  /** Suppresses all addresses. After a failed chunk, earlier chunks stay; sending them again changes nothing. */
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
        // The schema's input type is text. The declared type is its output type.
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
