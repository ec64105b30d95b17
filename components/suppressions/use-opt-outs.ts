import { useEffect, useRef, useState } from "react";
import { maxSuppressionsPerCall } from "@/server/suppressions/schema/suppressions";
import { useViewer } from "../shell/viewer";
import { fromServer } from "../texts/server-sentences";
import { api, leaveIfSignedOut, rejectionOf } from "../trpc";
import { type GivenReason, type OptOut, type OptOuts, readOptOuts } from "./read-opt-outs";

const READ_MS = 200;
const apart = { context: { apart: true } };

type State = {
  list: OptOuts | null;
  /** The expected result: addresses that are suppressed already, and people who will be unsubscribed. */
  check: { known: number; people: number } | null;
  /** Number of sent addresses during sending; otherwise null. */
  sent: number | null;
  /** The reason for a failure. */
  problem: string | null;
};
const NOTHING: State = { list: null, check: null, sent: null, problem: null };

function* chunksOf(rows: OptOut[]): Generator<OptOut[]> {
  for (let at = 0; at < rows.length; at += maxSuppressionsPerCall)
    yield rows.slice(at, at + maxSuppressionsPerCall);
}

/** A list of addresses to suppress, which is read, checked and sent in chunks. */
export function useOptOuts() {
  const { newsletterId } = useViewer();
  const utils = api.useUtils();
  const server = utils.client.suppressions;
  const timer = useRef(0);
  /** The current list. The check of an older list stops. */
  const current = useRef<OptOuts | null>(null);
  const [state, setState] = useState(NOTHING);
  const set = (change: Partial<State>) => setState((before) => ({ ...before, ...change }));
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      current.current = null;
    },
    [],
  );

  function fail(error: unknown): void {
    leaveIfSignedOut(error);
    set({ problem: rejectionOf(error).message, sent: null });
  }

  async function load(text: string): Promise<void> {
    const list = readOptOuts(text);
    current.current = list;
    set({ ...NOTHING, list });
    const check = { known: 0, people: 0 };
    try {
      for (const chunk of chunksOf(list.rows)) {
        const canonicals = chunk.map(({ canonical }) => canonical);
        const { known, people } = await server.check.mutate({ newsletterId, canonicals }, apart);
        check.known += known;
        check.people += people;
        if (current.current !== list) return;
      }
      if (list.rows.length > 0) set({ check });
    } catch (error) {
      if (current.current === list) fail(error);
    }
  }

  return {
    ...state,
    readText(text: string): void {
      clearTimeout(timer.current);
      set({ check: null });
      timer.current = window.setTimeout(() => void load(text), READ_MS);
    },
    async readFile(file: File): Promise<void> {
      clearTimeout(timer.current);
      current.current = null;
      set(NOTHING);
      try {
        const files = await import("../imports/files/read-file");
        await load((await files.readFile(file, {})).text);
      } catch (error) {
        set({ problem: fromServer((error as Error).message) });
      }
    },
    /**
     * Suppresses all addresses. After a failed chunk, earlier chunks stay; sending them again changes nothing.
     * @returns null after a failure
     */
    async send(fallback: GivenReason): Promise<{ added: number; unsubscribed: number } | null> {
      const rows = state.list?.rows ?? [];
      const source = rows.length === 1 ? "dashboard" : "import";
      const result = { added: 0, unsubscribed: 0 };
      let sent = 0;
      set({ sent, problem: null });
      try {
        for (const chunk of chunksOf(rows)) {
          const inputs = chunk.map(({ email, reason, date }) => ({
            email,
            reason: reason ?? fallback,
            ...(date && { date }),
          }));
          const call = { newsletterId, inputs, source, continues: sent > 0 } as const;
          const { added, unsubscribed } = await server.add.mutate(call, apart);
          result.added += added;
          result.unsubscribed += unsubscribed;
          sent += chunk.length;
          set({ sent });
        }
        return result;
      } catch (error) {
        fail(error);
        return null;
      } finally {
        void utils.invalidate();
      }
    },
  };
}
