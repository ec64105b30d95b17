import { defaultKeymap, history, historyKeymap, isolateHistory, undo } from "@codemirror/commands";
import { search, searchKeymap } from "@codemirror/search";
import {
  Annotation,
  type ChangeDesc,
  EditorSelection,
  EditorState,
  type Extension,
  RangeSetBuilder,
  StateEffect,
  StateField,
  type Text,
  Transaction,
} from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
} from "@codemirror/view";
import type { TextEdit } from "@/server/imports/list-parser/edits";
import type { Texts } from "../../texts/texts";
import { groups, type Marks } from "../reading/messages";
import { fileName, keepsFileName, setFileName } from "./file-name";
import { PIECE, teaching } from "./plain-field";

type Options = {
  parent: HTMLElement;
  texts: Texts<"imports.editor">;
  /** The text changed. Fires often, so read the text later. */
  onChange(): void;
};

const piece = Annotation.define<true>();

/** Scrolls a long line to its start: addresses mostly come first, and a paste leaves the cursor at the end. */
const showLineStart = (text: Text, at: number) =>
  EditorView.scrollIntoView(text.lineAt(at).from, { x: "start", xMargin: 20 });

/** The text area with line numbers. The editor draws only visible lines, so 100,000 lines stay fast. */
export class ListEditor {
  readonly view: EditorView;
  /** The changes from each version of the text to the next. */
  readonly #changes: ChangeDesc[] = [];
  #inserting = false;

  constructor({ parent, onChange, texts }: Options) {
    const state = EditorState.create({
      extensions: [
        lineNumbers(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        drawSelection(),
        history({
          joinToEvent: (transaction, adjacent) => adjacent || Boolean(transaction.annotation(piece)),
        }),
        // The browser's search finds only the drawn lines.
        search({ top: true }),
        keymap.of([...searchKeymap, ...historyKeymap, ...defaultKeymap]),
        placeholder(teaching(texts)),
        searchPhrases(texts),
        listMarks,
        keepsFileName,
        EditorView.contentAttributes.of({
          "aria-label": texts("label"),
          "aria-describedby": "list-help",
          tabindex: "0",
          spellcheck: "false",
          autocapitalize: "off",
          autocorrect: "off",
        }),
        EditorState.transactionFilter.of((transaction) =>
          this.#inserting && transaction.docChanged && !transaction.annotation(piece) ? [] : transaction,
        ),
        EditorState.transactionExtender.of((transaction) =>
          transaction.isUserEvent("input.paste")
            ? { effects: showLineStart(transaction.newDoc, transaction.newSelection.main.head) }
            : null,
        ),
        EditorView.domEventHandlers({
          paste: (event) => {
            const text = event.clipboardData?.getData("text/plain") ?? "";
            if (text.length <= PIECE) return false;
            event.preventDefault();
            if (!this.#inserting) void this.insert(text);
            return true;
          },
          // The surrounding form takes dropped files.
          drop: (event) => Boolean(event.dataTransfer?.files.length),
        }),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          this.#changes.push(update.changes.desc);
          onChange();
        }),
      ],
    });
    this.view = new EditorView({ state, parent });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  get version(): number {
    return this.#changes.length;
  }

  /** Returns the changes since a version of the text. */
  #since(version: number): ChangeDesc {
    const [first = this.view.state.changes().desc, ...others] = this.#changes.slice(version);
    return others.reduce((all, one) => all.composeDesc(one), first);
  }

  /** The name of the text's file; null when the text was typed or pasted. */
  get fileName(): string | null {
    return this.view.state.field(fileName);
  }

  /** Replaces the whole text. One undo restores the previous text. */
  setText(text: string, name: string | null): Promise<void> {
    return this.#replace({ from: 0, to: this.view.state.doc.length }, text, "start", { name });
  }

  /** Sets the first text, above lines typed meanwhile. Undo can't remove it. */
  begin(text: string, name: string | null): Promise<void> {
    const lineBreak = this.text === "" || text.endsWith("\n") ? "" : "\n";
    return this.#replace({ from: 0, to: 0 }, text + lineBreak, "start", {
      name,
      annotations: [Transaction.addToHistory.of(false)],
    });
  }

  /** Replaces the selection. */
  insert(text: string): Promise<void> {
    const { from, to } = this.view.state.selection.main;
    return this.#replace({ from, to }, text, "end");
  }

  /** Replaces a range, a long text in pieces. @param cursor the cursor's position afterwards */
  async #replace(
    { from, to }: { from: number; to: number },
    text: string,
    cursor: "start" | "end",
    { name, annotations = [] }: { name?: string | null; annotations?: Annotation<unknown>[] } = {},
  ): Promise<void> {
    this.#inserting = true;
    try {
      let at = from;
      let start = 0;
      for (;;) {
        let end = Math.min(text.length, start + PIECE);
        // A CRLF line break stays in one piece.
        if (text.charCodeAt(end - 1) === 0x0d && end < text.length) end++;
        const isFirst = start === 0;
        const isLast = end >= text.length;
        const insert = this.view.state.toText(text.slice(start, end));
        const step = isFirst ? [isolateHistory.of("before")] : isLast ? [isolateHistory.of("after")] : [];
        this.view.dispatch({
          changes: { from: at, to: isFirst ? to : at, insert },
          effects: isLast && name !== undefined ? [setFileName.of(name)] : [],
          annotations: [piece.of(true), ...step, ...annotations],
        });
        at += insert.length;
        start = end;
        if (isLast) break;
        await new Promise((resolve) => setTimeout(resolve));
      }
      const selection = EditorSelection.cursor(cursor === "end" ? at : from);
      this.view.dispatch({ selection, effects: showLineStart(this.view.state.doc, selection.head) });
    } finally {
      this.#inserting = false;
    }
  }

  /** Applies a fix as one step that Ctrl-Z undoes. @param version the text version of the edits' offsets */
  apply(edits: readonly TextEdit[], version: number): void {
    const since = this.#since(version);
    const changes = edits
      .filter(({ from, to }) => !since.touchesRange(from, to))
      .map(({ from, to, insert }) => ({ from: since.mapPos(from, 1), to: since.mapPos(to, -1), insert }));
    this.view.dispatch({ changes, annotations: isolateHistory.of("full"), userEvent: "input.fix" });
  }

  /** Shows the marks of a reading. @param version the text version that was read */
  show(marks: Marks, version: number): void {
    this.view.dispatch({ effects: setMarks.of({ marks, since: this.#since(version) }) });
  }

  /** Selects a range, scrolls to it and focuses the editor. */
  goTo(from: number, to: number, version: number): void {
    const since = this.#since(version);
    const selection = EditorSelection.single(since.mapPos(from, 1), since.mapPos(to, 1));
    this.view.dispatch({
      selection,
      effects: EditorView.scrollIntoView(selection.main, { y: "center" }),
    });
    this.view.focus();
  }

  undo(): void {
    undo(this.view);
  }

  close(): void {
    this.view.destroy();
  }
}

/** Translates the editor's search panel. */
const searchPhrases = (texts: Texts<"imports.editor">): Extension =>
  EditorState.phrases.of({
    Find: texts("search.find"),
    next: texts("search.next"),
    previous: texts("search.previous"),
    all: texts("search.all"),
    "match case": texts("search.matchCase"),
    regexp: texts("search.regexp"),
    "by word": texts("search.byWord"),
    Replace: texts("search.replaceField"),
    replace: texts("search.replace"),
    "replace all": texts("search.replaceAll"),
    close: texts("search.close"),
    "Go to line": texts("search.goToLine"),
    go: texts("search.go"),
    "current match": texts("search.currentMatch"),
    "on line": texts("search.onLine"),
    "replaced match on line $": texts("search.replacedOnLine"),
    "replaced $ matches": texts("search.replacedMatches"),
  });

/** Sets the marks that a reading found; `since` has the changes after the text was read. */
const setMarks = StateEffect.define<{ marks: Marks; since: ChangeDesc }>();

const decorations = groups.map((group) => Decoration.mark({ class: `cm-list-${group}` }));

function decorate({ from, to, group }: Marks): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const [index, start] of from.entries())
    builder.add(start, to[index] as number, decorations[group[index] as number] as Decoration);
  return builder.finish();
}

/** The marks in the text. They move with its changes until the next reading. */
const listMarks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { changes, effects }) {
    const read = effects.find((effect) => effect.is(setMarks))?.value;
    return read ? decorate(read.marks).map(read.since) : marks.map(changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});
