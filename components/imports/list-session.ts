import { proxy, type Remote, wrap } from "comlink";
import type { Override } from "@/server/imports/list-parser/list-types";
import type { StatusRule } from "@/server/imports/schema/imports";
import type { Texts } from "../texts/texts";
import { leaveIfSignedOut } from "../trpc";
import { RejectedError } from "../ui/error-of";
import { AGAIN_MS, loadSoon } from "../ui/on-demand";
import type { ListEditor } from "./editor/list-editor";
import { focusIfFree, PlainField } from "./editor/plain-field";
import type { Chosen } from "./files/file-types";
import { editorRejection, ListStore, type Rejected, statusRuleOf, workerRejection } from "./list-state";
import type { Draft } from "./reading/draft-store";
import type { Reading } from "./reading/list-reading";
import type { ListWorker, OnShare } from "./reading/list-worker";
import type { Group } from "./reading/messages";
import type { Item } from "./reading/preview-item";

const READ_MS = 90;

/** Connects the editor, the worker that reads its list, and the actions on the list. */
export class ListSession extends ListStore {
  #editor: ListEditor | null = null;
  #loadEditor = () => {};
  /** Aborted when the page is gone. */
  #page = new AbortController();
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

  constructor(private readonly texts: Texts<"imports.editor">) {
    super();
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
    this.#page = new AbortController();
    const { signal } = this.#page;
    const field = new PlainField(parent, this.texts);
    const isWanted = new Promise<void>((resolve) => {
      this.#loadEditor = resolve;
      loadSoon(resolve);
    });
    const starting = this.#untilLoaded(() => this.#startWorker(newsletterId), signal);
    this.#opening = this.#try(async () => {
      const draft = await starting;
      if (signal.aborted) return;
      if (draft || from) this.#loadEditor();
      focusIfFree(field.element);
      await isWanted;
      const loaded = await this.#untilLoaded(() => import("./editor/list-editor"), signal);
      if (!loaded || signal.aborted) return;
      const onChange = () => this.#readSoon();
      const editor = new loaded.ListEditor({ parent, texts: this.texts, onChange });
      this.#editor = editor;
      await field.giveTo(editor);
      if (draft) {
        await editor.begin(draft.text, draft.fileName);
        this.set({ override: draft.override, fileName: draft.fileName });
      }
      if (from) {
        const lines = await this.#worker?.rejected(from);
        if (!lines || signal.aborted) return;
        await editor.setText(lines.map(({ text }) => text).join("\n"), null);
        onTaken();
      }
      this.set({ opened: true });
      focusIfFree(editor.view);
    });
    await this.#opening;
  }

  /** Starts the worker. @returns the newsletter's draft, or null */
  async #startWorker(newsletterId: string): Promise<Draft | null> {
    const thread = new Worker(new URL("./reading/list-worker.ts", import.meta.url), { type: "module" });
    const worker = wrap<ListWorker>(thread);
    [this.#thread, this.#worker] = [thread, worker];
    const failed = new Promise<never>((_, reject) => {
      thread.onerror = reject;
    });
    try {
      return await Promise.race([worker.open(newsletterId), failed]);
    } catch (error) {
      thread.terminate();
      throw error;
    } finally {
      thread.onerror = ({ message }) =>
        this.set({ rejection: editorRejection(this.texts("workerFailed", { reason: message })) });
    }
  }

  /**
   * Loads a script, again until it succeeds. Without a network, text stays in the plain field meanwhile.
   * @returns null when the page is gone
   */
  async #untilLoaded<Loaded>(load: () => Promise<Loaded>, page: AbortSignal): Promise<Loaded | null> {
    for (let hasFailed = false; !page.aborted; hasFailed = true) {
      try {
        const loaded = await load();
        if (hasFailed) this.dismiss();
        return loaded;
      } catch {
        this.set({ rejection: editorRejection(this.texts("notLoaded")) });
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
    return null;
  }

  close(): void {
    this.#page.abort();
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
      this.set({ rejection: { ...rejection, by } });
      return null;
    }
  }

  #show(reading: Reading): void {
    this.#editor?.show(reading.marks, reading.version);
    this.set({ reading });
  }

  #readSoon(): void {
    const fileName = this.#editor?.fileName ?? null;
    // Corrections of the previous list don't apply to another list.
    if (fileName === null && this.state().fileName !== null) this.set({ override: {}, chosenRule: null });
    if (fileName !== this.state().fileName) this.set({ fileName });
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.read(), READ_MS);
  }

  /** Reads the current text. During a reading the next one waits, and only the latest runs. */
  read(): Promise<void> {
    const loop = async () => {
      while (this.#again && this.#editor && this.#worker) {
        this.#again = false;
        const { override, fileName } = this.state();
        const { text, version } = this.#editor;
        const start = performance.now();
        this.#show(await this.#worker.read(version, text, override, fileName));
        performance.clearMeasures("list-read");
        performance.measure("list-read", { start });
      }
    };
    this.#again = true;
    if (!this.#underWay) this.set({ isReading: true });
    this.#underWay ??= this.#try(loop).then(() => {
      this.#underWay = null;
      this.set({ isReading: false });
    });
    return this.#underWay;
  }

  /** Corrects how the text is read. */
  setOverride(override: Override): void {
    this.set({ override });
    void this.read();
  }

  /** Makes the next reading fetch the fields again, after a field was defined. */
  async forgetFields(): Promise<void> {
    await this.#try((worker) => worker.forgetFields());
  }

  setStatusRule(chosenRule: StatusRule): void {
    this.set({ chosenRule });
  }

  goTo({ from, to }: Pick<Item, "from" | "to">, version: number): void {
    this.#editor?.goTo(from, to, version);
  }

  items(group: Group | null, from: number, to: number) {
    return this.#try((worker) => worker.items(group, from, to, statusRuleOf(this.state())));
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
    if (others.length > 0) this.set({ rejection: editorRejection(this.texts("oneFile")) });
    else if (file) await this.#take(file, {}, {});
  }

  /** Reads the same file again with this choice. The form shows the choice at once. */
  async choose(change: Chosen): Promise<void> {
    const { file, override } = this.state();
    if (!file) return;
    const chosen = { ...file.chosen, ...change };
    this.set({ file: { ...file, chosen } });
    // Another sheet has other columns, so column corrections don't apply.
    const isRead = await this.#take(file.file, chosen, change.sheet ? {} : override);
    if (!isRead) this.set({ file: { ...file, chosen: this.#chosen } });
  }

  /** @returns false if the file could not be read; then the list stays */
  async #take(file: File, chosen: Chosen, override: Override): Promise<boolean> {
    const take = ++this.#takes;
    this.set({ isTaking: true, rejection: null });
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
      this.set({ override, fileName: this.#editor?.fileName ?? null, file: { file, chosen, ...rest } });
    });
    await this.#taken;
    if (take !== this.#takes) return true;
    this.set({ isTaking: false });
    if (!read) return false;
    await this.read();
    return true;
  }

  /** Compares the list with the newsletter's subscribers and creates the plan. */
  async check(): Promise<void> {
    this.set({ uploaded: 0, rejection: null });
    clearTimeout(this.#timer);
    await this.read();
    const onShare = proxy<OnShare>((uploaded) => {
      // The last progress report may arrive after the plan: it uses another channel of the worker.
      if (this.state().uploaded !== null) this.set({ uploaded });
    });
    const plan = await this.#try((worker) => worker.check(statusRuleOf(this.state()), onShare), "plan");
    if (plan) this.#show(plan.reading);
    this.set({ uploaded: null, ...(plan && { plan }) });
  }

  async committed(importId: string): Promise<void> {
    await this.#try((worker) => worker.committed(importId));
  }

  dismiss(): void {
    this.set({ rejection: null });
  }
}
