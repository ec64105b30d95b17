import type { PastedPerson, Quoting } from "./list-types";

/** Replaces the text between two offsets. All offsets of a list of edits refer to the original text. */
export type TextEdit = { from: number; to: number; insert: string };

/** Replaces an address everywhere on its line. */
export function fixAddress({ address, again }: PastedPerson, email: string): TextEdit[] {
  const places = again ? [again, address] : [address];
  return places.map(({ from, to, quoting }) => ({ from, to, insert: written(email, quoting) }));
}

function written(email: string, quoting: Quoting): string {
  if (quoting === "json") return JSON.stringify(email).slice(1, -1);
  if (quoting === "quoted-cell") return email.replaceAll('"', '""');
  if (quoting === "cell") return /["\t,;|]/.test(email) ? `"${email.replaceAll('"', '""')}"` : email;
  if (quoting === "vcard") return email.replace(/[\\,;]/g, "\\$&");
  return email;
}
