import { type ChangeDesc, type Extension, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import { groups, type Marks } from "../reading/messages";

/** Marks of a text version; `since` holds the changes made after it. */
type Marked = { marks: Marks; since: ChangeDesc | null };

/** Sets the marks that a reading found. */
export const setMarks = StateEffect.define<Marked>();

const none: Marked = {
  marks: { from: new Uint32Array(), to: new Uint32Array(), group: new Uint8Array() },
  since: null,
};

const marked = StateField.define<Marked>({
  create: () => none,
  update(value, transaction) {
    let next = value;
    if (transaction.docChanged) {
      const since = next.since ? next.since.composeDesc(transaction.changes.desc) : transaction.changes.desc;
      next = { marks: next.marks, since };
    }
    for (const effect of transaction.effects) if (effect.is(setMarks)) next = effect.value;
    return next;
  },
});

const decorations = groups.map((group) => Decoration.mark({ class: `cm-list-${group}` }));

/** Returns the first mark that ends after an offset. Marks are sorted and rarely overlap. */
function firstAfter({ to }: Marks, offset: number): number {
  let low = 0;
  let high = to.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((to[middle] ?? 0) > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

// Only visible marks are drawn, so 100,000 marks cost as little as ten.
function draw(view: EditorView): DecorationSet {
  const { marks, since } = view.state.field(marked);
  const builder = new RangeSetBuilder<Decoration>();
  const back = since?.invertedDesc;
  let drawnTo = 0;
  for (const visible of view.visibleRanges) {
    const from = back ? back.mapPos(Math.min(visible.from, back.length), -1) : visible.from;
    const to = back ? back.mapPos(Math.min(visible.to, back.length), 1) : visible.to;
    for (let index = firstAfter(marks, from); index < marks.from.length; index++) {
      const start = marks.from[index] ?? 0;
      if (start >= to) break;
      const end = marks.to[index] ?? start;
      const [mappedFrom, mappedTo] = since ? [since.mapPos(start, 1), since.mapPos(end, -1)] : [start, end];
      const decoration = decorations[marks.group[index] ?? 0];
      if (!decoration || mappedFrom < drawnTo || mappedTo <= mappedFrom) continue;
      builder.add(mappedFrom, mappedTo, decoration);
      drawnTo = mappedFrom;
    }
  }
  return builder.finish();
}

const drawn = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = draw(view);
    }
    update(update: ViewUpdate) {
      const isNew = update.transactions.some(({ effects }) => effects.some((effect) => effect.is(setMarks)));
      if (isNew || update.docChanged || update.viewportChanged) this.decorations = draw(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

export const listMarks: Extension = [marked, drawn];
