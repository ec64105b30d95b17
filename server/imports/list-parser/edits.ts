import type { PastedPerson, Quoting } from "./list-types";

/** Replace the text between two offsets. Offsets are those of the text before any of a list of edits. */
export type TextEdit = { from: number; to: number; insert: string };

/** Writes another address where this one stands, everywhere it stands on its line, and nothing else. */
export function fixAddress({ address, again }: PastedPerson, email: string): TextEdit[] {
  const places = again ? [again, address] : [address];
  return places.map(({ from, to, quoting }) => ({ from, to, insert: written(email, quoting) }));
}

/** Fixes one domain for many people at once: "apply to all 6". */
export function fixDomain(people: readonly PastedPerson[], domain: string): TextEdit[] {
  return people.flatMap((person) =>
    fixAddress(person, `${person.email.slice(0, person.email.lastIndexOf("@") + 1)}${domain}`),
  );
}

function written(email: string, quoting: Quoting): string {
  if (quoting === "json") return JSON.stringify(email).slice(1, -1);
  if (quoting === "quoted-cell") return email.replaceAll('"', '""');
  if (quoting === "cell") return /["\t,;|]/.test(email) ? `"${email.replaceAll('"', '""')}"` : email;
  if (quoting === "vcard") return email.replace(/[\\,;]/g, "\\$&");
  return email;
}
