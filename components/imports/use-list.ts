import { useCallback, useEffect, useRef, useState } from "react";
import type { Consent, NewStatus } from "@/server/contract/imports";
import type { Override } from "@/server/domain/list-parser/list-types";
import { useViewer } from "../shell/viewer";
import { leaveIfSignedOut } from "../trpc";
import { type Rejection, rejectionOf } from "../ui/error-of";
import { ListEditor } from "./editor/list-editor";
import { ListReader } from "./reading/list-reader";
import type { CheckedPlan, Group, Item, Reading } from "./reading/messages";

const READ_MS = 90;

const teaching = [
  "ada@lovelace.org",
  "Grace Hopper <grace@navy.mil>",
  "alan@turing.uk, Alan Turing",
  "",
  "… or drop a file here",
].join("\n");

/** What was rejected, and where on the page it is said. */
export type Rejected = Rejection & { by: "editor" | "plan" };

/** How long the latest reading took, for the browser's own tools. */
function noteDuration(start: number): void {
  performance.clearMeasures("list-read");
  performance.measure("list-read", { start });
}

/** The list in the editor, what the worker makes of it, and what can be done with it. */
export function useList(start: { from: string | null; onTaken(): void }) {
  const { newsletterId, appUrl } = useViewer();
  const parent = useRef<HTMLDivElement>(null);
  const editor = useRef<ListEditor | null>(null);
  const reader = useRef<ListReader | null>(null);
  const [reading, setReading] = useState<Reading | null>(null);
  const [override, setOverrideState] = useState<Override>({});
  const [fileName, setFileNameState] = useState<string | null>(null);
  const [defaultStatus, setDefaultStatus] = useState<NewStatus>("pending");
  const [plan, setPlan] = useState<CheckedPlan | null>(null);
  const [busy, setBusy] = useState<"check" | "commit" | null>(null);
  const [rejection, setRejection] = useState<Rejected | null>(null);
  const [opened, setOpened] = useState(false);
  // What the next reading is given; the loop below runs outside of React.
  const now = useRef({ override, fileName, reading: null as Promise<void> | null, again: false, timer: 0 });

  const fail = useCallback((error: unknown, by: Rejected["by"] = "editor") => {
    leaveIfSignedOut(error);
    setRejection({ ...rejectionOf(error), by });
  }, []);

  const show = useCallback((next: Reading) => {
    editor.current?.show(next.marks, next.version);
    setReading(next);
  }, []);

  /** Reads the text as it is now. While one reading is under way the next waits, and only the latest is done. */
  const read = useCallback((): Promise<void> => {
    const state = now.current;
    const loop = async () => {
      do {
        state.again = false;
        const [list, worker] = [editor.current, reader.current];
        if (!list || !worker) return;
        const { version } = list.log;
        const { text } = list;
        const { override, fileName } = state;
        const asked = performance.now();
        show(await worker.ask("read", { version, text, override, fileName }));
        noteDuration(asked);
      } while (state.again);
    };
    state.again = true;
    state.reading ??= loop()
      .catch((error) => fail(error))
      .finally(() => {
        state.reading = null;
      });
    return state.reading;
  }, [show, fail]);

  /** How the text is read, and the file it came from. */
  const setSource = useCallback((source: { override: Override; fileName: string | null }) => {
    now.current.override = source.override;
    now.current.fileName = source.fileName;
    setOverrideState(source.override);
    setFileNameState(source.fileName);
  }, []);

  const readSoon = useCallback(
    (replaced: boolean) => {
      // Another list: what was said of the former does not hold for it.
      if (replaced) setSource({ override: {}, fileName: null });
      clearTimeout(now.current.timer);
      now.current.timer = window.setTimeout(read, READ_MS);
    },
    [read, setSource],
  );

  const goTo = useCallback((item: Pick<Item, "from" | "to">, version: number) => {
    editor.current?.goTo(item.from, item.to, version);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: one editor and one worker for as long as the page stands
  useEffect(() => {
    if (!parent.current) return;
    const worker = new ListReader();
    const list = new ListEditor({
      parent: parent.current,
      placeholder: teaching,
      onChange: readSoon,
      async onNext(back) {
        const { head } = list.view.state.selection.main;
        const { item, version } = await worker.ask("next", { after: head, back });
        if (item) goTo(item, version);
      },
    });
    editor.current = list;
    reader.current = worker;
    let closed = false;
    const open = async () => {
      const draft = await worker.ask("open", { newsletterId, appUrl });
      if (closed) return;
      if (draft) {
        setSource(draft);
        await list.begin(draft.text);
      }
      if (start.from) {
        const lines = await worker.ask("rejected", { importId: start.from });
        if (closed) return;
        await list.setText(lines.map(({ text }) => text).join("\n"));
        start.onTaken();
      }
      setOpened(true);
    };
    open().catch((error) => fail(error));
    return () => {
      closed = true;
      clearTimeout(now.current.timer);
      list.close();
      worker.close();
      editor.current = null;
      reader.current = null;
    };
  }, []);

  const act = async <T>(
    what: (worker: ListReader) => Promise<T>,
    by: Rejected["by"] = "editor",
  ): Promise<T | null> => {
    if (!reader.current) return null;
    try {
      return await what(reader.current);
    } catch (error) {
      fail(error, by);
      return null;
    }
  };

  return {
    parent,
    opened,
    reading,
    override,
    fileName,
    defaultStatus,
    plan,
    busy,
    rejection,
    /** The list or the choices differ from what was checked. */
    stale:
      plan !== null && (plan.fingerprint !== reading?.fingerprint || plan.defaultStatus !== defaultStatus),
    setDefaultStatus,
    goTo,
    setOverride(next: Override) {
      setSource({ override: next, fileName });
      void read();
    },
    items: useCallback(
      (group: Group | null, from: number, to: number) => reader.current?.ask("items", { group, from, to }),
      [],
    ),
    /** Writes an item's own fix. */
    async fix({ edits }: Item, version: number) {
      editor.current?.apply(edits, version);
      await read();
    },
    fixDomain: (domain: string) =>
      act(async (worker) => {
        const { version, edits } = await worker.ask("fixDomain", { domain });
        editor.current?.apply(edits, version);
        await read();
      }),
    keep: (key: string) => act(async (worker) => show(await worker.ask("keep", { key }))),
    askAgain: () => act(async (worker) => show(await worker.ask("askAgain", {}))),
    undo: () => editor.current?.undo(),
    async takeFile(file: File) {
      const result = await act((worker) => worker.ask("file", { file }));
      if (!result) return;
      if (!result.ok) return setRejection({ message: result.message, errors: {}, code: null, by: "editor" });
      setRejection(null);
      await editor.current?.setText(result.text);
      setSource({ override: {}, fileName: file.name });
      void read();
    },
    async check() {
      setBusy("check");
      setRejection(null);
      clearTimeout(now.current.timer);
      await read();
      const checked = await act((worker) => worker.ask("check", { defaultStatus }), "plan");
      if (checked) {
        setPlan(checked);
        show(checked.reading);
      }
      setBusy(null);
      return checked !== null;
    },
    async commit(consent: Consent) {
      if (!plan) return null;
      setBusy("commit");
      setRejection(null);
      const { importId, digest } = plan;
      const run = await act((worker) => worker.ask("commit", { importId, digest, consent }), "plan");
      setBusy(null);
      return run;
    },
    apiCall: () => act((worker) => worker.ask("apiCall", { status: defaultStatus })),
    dismiss: () => setRejection(null),
  };
}

export type List = ReturnType<typeof useList>;
