import { invertedEffects } from "@codemirror/commands";
import { type ChangeSet, type EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import type { FileSpan } from "../files/file-types";

type Spans = readonly FileSpan[];

const longestName = 255;
// Only a short rest of a file is searched for addresses. A long rest is assumed to have some.
const looksThrough = 2000;
const hasAddress = /[@＠]|\bat\b/i;

/** Sets which spans of the text came from files. */
export const setFileSpans = StateEffect.define<Spans>({
  map: (spans, changes) =>
    spans
      .map(({ name, from, to }) => ({ name, from: changes.mapPos(from, 1), to: changes.mapPos(to, -1) }))
      .filter(({ from, to }) => from < to),
});

const spansField = StateField.define<Spans>({
  create: () => [],
  update(spans, transaction) {
    const { changes, effects, docChanged, newDoc } = transaction;
    let next = spans;
    if (docChanged && spans.length > 0) {
      // A fix rewrites the same person, so the span keeps its file name.
      const isFix = transaction.isUserEvent("input.fix");
      next = spans
        .flatMap((span) => (isFix ? [fixedSpan(span, changes)] : mapSpan(span, changes)))
        .filter(({ from, to }) => to - from > looksThrough || hasAddress.test(newDoc.sliceString(from, to)));
    }
    for (const effect of effects) if (effect.is(setFileSpans)) next = effect.value;
    return next;
  },
});

const fixedSpan = ({ name, from, to }: FileSpan, changes: ChangeSet): FileSpan => ({
  name,
  from: changes.mapPos(from, -1),
  to: changes.mapPos(to, 1),
});

/** Maps a span through changes. Text written over its ends, or lines pasted into its middle, are cut out. */
function mapSpan({ name, from, to }: FileSpan, changes: ChangeSet): FileSpan[] {
  const parts: FileSpan[] = [];
  let start = from;
  const keep = (end: number) => {
    if (end > start) parts.push({ name, from: changes.mapPos(start, 1), to: changes.mapPos(end, -1) });
  };
  changes.iterChanges((...[fromA, toA, , , inserted]) => {
    if (toA < start || fromA > to) return;
    const atEnd = fromA <= start || toA >= to;
    if (atEnd ? fromA === toA : inserted.lines < 2) return;
    keep(Math.min(fromA, to));
    start = toA;
  });
  keep(to);
  return parts.filter((part) => part.from < part.to);
}

/** The names of all files with text in the editor, joined; null when no text came from a file. */
export function fileNameOf(state: EditorState): string | null {
  const names = [...new Set(state.field(spansField).map(({ name }) => name))];
  if (names.length === 0) return null;
  for (let shown = names.length; shown > 0; shown--) {
    const more = names.length - shown;
    const all = names.slice(0, shown).join(", ") + (more > 0 ? ` and ${more} more` : "");
    if (all.length <= longestName) return all;
  }
  return (names[0] as string).slice(0, longestName);
}

/** Undo also restores the file spans. */
export const fileSpans: Extension = [
  spansField,
  invertedEffects.of(({ startState, state }) =>
    fileNameOf(startState) === fileNameOf(state) ? [] : [setFileSpans.of(startState.field(spansField))],
  ),
];
