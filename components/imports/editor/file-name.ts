import { invertedEffects } from "@codemirror/commands";
import { type Extension, StateEffect, StateField, type Transaction } from "@codemirror/state";

const longestName = 255;

/** Names the file that the text came from; null for a typed or pasted text. */
export const setFileName = StateEffect.define<string | null>();

/** Whether a change replaces or deletes the whole text. */
function replacesText({ docChanged, changes }: Transaction): boolean {
  let kept = 0;
  changes.iterGaps((...[, , length]) => {
    kept += length;
  });
  return docChanged && kept === 0;
}

/** The name of the text's file. It stays while lines are corrected, added or removed. */
export const fileName = StateField.define<string | null>({
  create: () => null,
  update(name, transaction) {
    for (const effect of transaction.effects)
      if (effect.is(setFileName)) return effect.value?.slice(0, longestName) ?? null;
    // A fix rewrites the same person, even on the only line.
    return replacesText(transaction) && !transaction.isUserEvent("input.fix") ? null : name;
  },
});

/** Undo also restores the name: a file called "unsubscribed.csv" is asked about. */
export const keepsFileName: Extension = [
  fileName,
  invertedEffects.of(({ startState, state }) => {
    const name = startState.field(fileName);
    return name === state.field(fileName) ? [] : [setFileName.of(name)];
  }),
];
