import { proxy, type Remote, wrap } from "comlink";
import { useEffect, useRef, useState } from "react";
import { useViewer } from "../shell/viewer";
import { fromServer } from "../texts/server-sentences";
import { api, leaveIfSignedOut } from "../trpc";
import { RejectedError, type Rejection, rejectionOf } from "../ui/error-of";
import type { OptOutCheck, OptOutCounts, OptOutsAdded, OptOutWorker } from "./opt-out-worker";
import type { GivenReason } from "./read-opt-outs";

const READ_MS = 200;

type State = {
  counts: OptOutCounts | null;
  check: OptOutCheck | null;
  /** Number of sent addresses during sending; otherwise null. */
  sent: number | null;
  error: Error | null;
};
const NOTHING: State = { counts: null, check: null, sent: null, error: null };

/** Runs the list worker while the component is mounted. */
function useOptOutWorker() {
  const worker = useRef<Remote<OptOutWorker> | null>(null);
  useEffect(() => {
    const thread = new Worker(new URL("./opt-out-worker.ts", import.meta.url), { type: "module" });
    worker.current = wrap<OptOutWorker>(thread);
    return () => {
      thread.terminate();
      worker.current = null;
    };
  }, []);
  return worker;
}

/** A list of addresses to suppress. A worker reads, checks and sends the list. */
export function useOptOuts() {
  const { newsletterId } = useViewer();
  const utils = api.useUtils();
  const worker = useOptOutWorker();
  const timer = useRef(0);
  const [state, setState] = useState(NOTHING);
  const set = (change: Partial<State>) => setState((before) => ({ ...before, ...change }));
  useEffect(() => () => clearTimeout(timer.current), []);

  /** Shows an error of `work`. @returns null after an error */
  async function ask<T>(work: (worker: Remote<OptOutWorker>) => Promise<T>): Promise<T | null> {
    if (!worker.current) return null;
    try {
      return await work(worker.current);
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new RejectedError(thrown as Rejection);
      leaveIfSignedOut(error);
      set({ error, sent: null });
      return null;
    }
  }

  async function load(read: (worker: Remote<OptOutWorker>) => Promise<OptOutCounts>): Promise<void> {
    const counts = await ask(read);
    if (!counts) return;
    set({ counts, check: null, error: null });
    if (counts.rows === 0) return;
    const check = await ask((one) => one.check(newsletterId));
    if (check) set({ check });
  }

  return {
    ...state,
    // The worker's rejections are in English.
    problem: state.error && fromServer(rejectionOf(state.error).message),
    readText(text: string): void {
      clearTimeout(timer.current);
      set({ check: null });
      timer.current = window.setTimeout(() => void load((one) => one.read(text)), READ_MS);
    },
    readFile(file: File): void {
      clearTimeout(timer.current);
      set(NOTHING);
      void load((one) => one.readFile(file));
    },
    /** @returns null after a failure; addresses sent before it stay suppressed */
    async send(fallback: GivenReason): Promise<OptOutsAdded | null> {
      set({ sent: 0, error: null });
      const result = await ask((one) =>
        one.send(
          newsletterId,
          fallback,
          proxy((sent: number) => set({ sent })),
        ),
      );
      void utils.invalidate();
      return result;
    },
  };
}
