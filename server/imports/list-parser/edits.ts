import type { PastedPerson } from "./list-types";

/** Replaces the text between two offsets. All offsets of a list of edits refer to the original text. */
export type TextEdit = { from: number; to: number; insert: string };

/** Replaces an address everywhere on its line. A valid address needs no quotes or escapes in any format. */
export function fixAddress({ address, again }: PastedPerson, email: string): TextEdit[] {
  const places = again ? [again, address] : [address];
  return places.map(({ from, to }) => ({ from, to, insert: email }));
}
