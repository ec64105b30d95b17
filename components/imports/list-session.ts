import { proxy, type Remote, wrap } from "comlink";
import type { Override } from "@/server/imports/list-parser/list-types";
import type { StatusRule } from "@/server/imports/schema/imports";
import { fromServer } from "../texts/server-sentences";
import type { Texts } from "../texts/texts";
import { leaveIfSignedOut } from "../trpc";
import { RejectedError, type Rejection, rejectionOf } from "../ui/error-of";
import { AGAIN_MS, loadSoon } from "../ui/on-demand";
import type { ListEditor } from "./editor/list-editor";
import { focusIfFree, PlainField } from "./editor/plain-field";
import type { Chosen } from "./files/file-types";
import { type ListState, type Rejected, statusRuleOf } from "./list-state";
import type { Reading } from "./reading/list-reading";
import type { ListWorker, OnShare } from "./reading/list-worker";
import type { Group } from "./reading/messages";
import type { Item } from "./reading/preview-item";

const READ_MS = 90;

const rejected = (message: string): Rejected => ({ message, errors: {}, code: null, by: "editor" });

/** Connects the editor, the worker that reads its list, and the actions on the list. */
export class ListSession {
  #state: ListState = {
    opened: false,
    reading: null,
    override: {},
    fileName: null,
    file: null,
    chosenRule: null,
    plan: null,
    isTaking: false,
    isReading: false,
    uploaded: null,
    rejection: null,
  };
  readonly #listeners = new Set<() => void>();
  #editor: ListEditor | null = null;
  #loadEditor = () => {};
  /** Ends when the editor is there, with its first text. */
  #opening: Promise<unknown> = Promise.resolve();
  #thread: Worker | null = null;
  #worker: Remote<ListWorker> | null = null;
  #timer = 0;
  #underWay: Promise<void> | null = null;
  #again = false;
  #takes = 0;
  #taken: Promise<void> = Promise.resolve();
  /** The choices with which the file was last read. */
  #chosen: Chosen = {};

  constructor(private readonly texts: Texts<"imports.editor">) {}

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly state = () => this.#state;

  #set(change: Partial<ListState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }

  /**
   * Starts the worker and the editor with the newsletter's draft or an import's rejected lines. Without a text, the editor
   * loads with the first movement or key on the page.
   * @param onTaken called once the rejected lines are in the editor
   */
  async open(
    parent: HTMLElement,
    newsletterId: string,
    from: string | null,
    onTaken: () => void,
  ): Promise<void> {
    const field = new PlainField(parent, this.texts);
    const isWanted = new Promise<void>((resolve) => {
      this.#loadEditor = resolve;
      loadSoon(resolve);
    });
    const starting = this.#startWorker(newsletterId);
    this.#opening = this.#try(async () => {
      const started = await starting;
      if (!started || this.#worker !== started.worker) return;
      const { worker, draft } = started;
      if (draft || from) this.#loadEditor();
      focusIfFree(field.element);
      await isWanted;
      const ListEditor = await this.#loadedEditor();
      if (!ListEditor || this.#worker !== worker) return;
      const editor = new ListEditor({
        parent,
        texts: this.texts,
        onChange: () => this.#readSoon(),
      });
      this.#editor = editor;
      await field.giveTo(editor);
      if (draft) {
        await editor.begin(draft.text, draft.fileName);
        this.#set({ override: draft.override, fileName: draft.fileName });
      }
      if (from) {
        const lines = await worker.rejected(from);
        if (this.#editor !== editor) return;
        await editor.setText(lines.map(({ text }) => text).join("\n"), null);
        onTaken();
      }
      this.#set({ opened: true });
      focusIfFree(editor.view);
    });
    await this.#opening;
  }

  /** Starts the worker, again until its script can be loaded. @returns null when the page is gone */
  async #startWorker(newsletterId: string) {
    for (let hasFailed = false; ; hasFailed = true) {
      const thread = new Worker(new URL("./reading/list-worker.ts", import.meta.url), { type: "module" });
      const worker = wrap<ListWorker>(thread);
      [this.#thread, this.#worker] = [thread, worker];
      const failed = new Promise<null>((resolve) => {
        thread.onerror = () => resolve(null);
      });
      const opened = worker.open(newsletterId).then((draft) => ({ worker, draft }));
      const started = await Promise.race([opened, failed]);
      if (started) {
        if (hasFailed) this.dismiss();
        thread.onerror = ({ message }) =>
          this.#set({ rejection: rejected(this.texts("workerFailed", { reason: message })) });
        return started;
      }
      thread.terminate();
      await this.#pauseBeforeRetry();
      if (this.#worker !== worker) return null;
    }
  }

  /** Without a network, text stays in the plain field until the scripts can be loaded. */
  async #pauseBeforeRetry(): Promise<void> {
    this.#set({ rejection: rejected(this.texts("notLoaded")) });
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }

  /** Loads the editor. @returns null when the page is gone */
  async #loadedEditor(): Promise<typeof ListEditor | null> {
    for (let hasFailed = false; this.#worker; hasFailed = true) {
      try {
        const { ListEditor } = await import("./editor/list-editor");
        if (hasFailed) this.dismiss();
        return ListEditor;
      } catch {
        await this.#pauseBeforeRetry();
      }
    }
    return null;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#editor?.close();
    this.#thread?.terminate();
    [this.#thread, this.#worker, this.#editor] = [null, null, null];
  }

  /** Shows an error of `work`. @returns null after an error, or when the page is gone */
  async #try<T>(
    work: (worker: Remote<ListWorker>) => Promise<T>,
    by: Rejected["by"] = "editor",
  ): Promise<T | null> {
    if (!this.#worker) return null;
    try {
      return await work(this.#worker);
    } catch (error) {
      const rejection = workerRejection(error);
      leaveIfSignedOut(new RejectedError(rejection));
      this.#set({ rejection: { ...rejection, by } });
      return null;
    }
  }

  #show(reading: Reading): void {
    this.#editor?.show(reading.marks, reading.version);
    this.#set({ reading });
  }

  #readSoon(): void {
    const fileName = this.#editor?.fileName ?? null;
    // Corrections of the previous list don't apply to another list.
    if (fileName === null && this.#state.fileName !== null) this.#set({ override: {}, chosenRule: null });
    if (fileName !== this.#state.fileName) this.#set({ fileName });
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.read(), READ_MS);
  }

  /** Reads the current text. During a reading the next one waits, and only the latest runs. */
  read(): Promise<void> {
    const loop = async () => {
      while (this.#again && this.#editor && this.#worker) {
        this.#again = false;
        const { override, fileName } = this.#state;
        const { text, version } = this.#editor;
        const start = performance.now();
        this.#show(await this.#worker.read(version, text, override, fileName));
        performance.clearMeasures("list-read");
        performance.measure("list-read", { start });
      }
    };
    this.#again = true;
    if (!this.#underWay) this.#set({ isReading: true });
    this.#underWay ??= this.#try(loop).then(() => {
      this.#underWay = null;
      this.#set({ isReading: false });
    });
    return this.#underWay;
  }

  /** Corrects how the text is read. */
  setOverride(override: Override): void {
    this.#set({ override });
    void this.read();
  }

  /** Makes the next reading fetch the fields again, after a field was defined. */
  async forgetFields(): Promise<void> {
    await this.#try((worker) => worker.forgetFields());
  }

  setStatusRule(chosenRule: StatusRule): void {
    this.#set({ chosenRule });
  }

  goTo({ from, to }: Pick<Item, "from" | "to">, version: number): void {
    this.#editor?.goTo(from, to, version);
  }

  items(group: Group | null, from: number, to: number) {
    return this.#try((worker) => worker.items(group, from, to, statusRuleOf(this.#state)));
  }

  async fix({ edits }: Item, version: number): Promise<void> {
    this.#editor?.apply(edits, version);
    await this.read();
  }

  async fixDomain(domain: string): Promise<void> {
    const fixed = await this.#try((worker) => worker.fixDomain(domain));
    if (fixed) this.#editor?.apply(fixed.edits, fixed.version);
    await this.read();
  }

  /** @param key an address or `@domain`; null forgets every Keep */
  async keep(key: string | null): Promise<void> {
    const reading = await this.#try((worker) => worker.keep(key));
    if (reading) this.#show(reading);
  }

  undo(): void {
    this.#editor?.undo();
  }

  /** Replaces the list with a file. Several files are rejected. */
  async takeFiles([file, ...others]: readonly File[]): Promise<void> {
    if (others.length > 0) this.#set({ rejection: rejected(this.texts("oneFile")) });
    else if (file) await this.#take(file, {}, {});
  }

  /** Reads the same file again with this choice. The form shows the choice at once. */
  async choose(change: Chosen): Promise<void> {
    const { file, override } = this.#state;
    if (!file) return;
    const chosen = { ...file.chosen, ...change };
    this.#set({ file: { ...file, chosen } });
    // Another sheet has other columns, so column corrections don't apply.
    const isRead = await this.#take(file.file, chosen, change.sheet ? {} : override);
    if (!isRead) this.#set({ file: { ...file, chosen: this.#chosen } });
  }

  /** @returns false if the file could not be read; then the list stays */
  async #take(file: File, chosen: Chosen, override: Override): Promise<boolean> {
    const take = ++this.#takes;
    this.#set({ isTaking: true, rejection: null });
    this.#loadEditor();
    await this.#opening;
    const read = await this.#try((worker) => worker.file(file, chosen));
    // A later drop or choice replaces this one.
    if (take !== this.#takes) return true;
    // A long text is inserted in pieces, so two insertions must not overlap.
    this.#taken = this.#taken.then(async () => {
      if (!read) return;
      const { text, ...rest } = read;
      await this.#editor?.setText(text, read.name);
      this.#chosen = chosen;
      this.#set({ override, fileName: this.#editor?.fileName ?? null, file: { file, chosen, ...rest } });
    });
    await this.#taken;
    if (take !== this.#takes) return true;
    this.#set({ isTaking: false });
    if (!read) return false;
    await this.read();
    return true;
  }

  /** Compares the list with the newsletter's subscribers and creates the plan. */
  async check(): Promise<void> {
    this.#set({ uploaded: 0, rejection: null });
    clearTimeout(this.#timer);
    await this.read();
    const onShare = proxy<OnShare>((uploaded) => {
      // The last progress report may arrive after the plan: it uses another channel of the worker.
      if (this.#state.uploaded !== null) this.#set({ uploaded });
    });
    const plan = await this.#try((worker) => worker.check(statusRuleOf(this.#state), onShare), "plan");
    if (plan) this.#show(plan.reading);
    this.#set({ uploaded: null, ...(plan && { plan }) });
  }

  async committed(importId: string): Promise<void> {
    await this.#try((worker) => worker.committed(importId));
  }

  dismiss(): void {
    this.#set({ rejection: null });
  }
}

/**
 * The worker sends a plain rejection, because an Error loses its extra properties. The worker has no language and sends
 * the server's sentences in English.
 */
function workerRejection(thrown: unknown): Rejection {
  if (thrown instanceof Error) return rejectionOf(thrown);
  const rejection = thrown as Rejection;
  return { ...rejection, message: fromServer(rejection.message) };
}
