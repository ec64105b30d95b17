// Test material: compares a reading of a list with what a careful person expects.
import { readFileSync } from "node:fs";
import type { NoteCode, PastedList } from "../list-types";
import { parseList } from "../parse-list";
import { ListValidator, type RowValidation } from "../validate-list";

/** `opt`: may be read or not. The README beside the lists explains the other kinds. */
export type ExpectedPerson = {
  email: string;
  names?: string[] | null;
  kind: "form" | "pending" | "out" | "ask" | "bad" | "opt";
};
export type ExpectedList = {
  /** The list itself, or the name of its file in the same folder. */
  text?: string;
  file?: string;
  /** The name of the uploaded file, if it matters. */
  fileName?: string;
  people: ExpectedPerson[];
  mentions?: string[];
  shown?: string[];
  askOk?: boolean;
};

export function expectedLists(folder: URL): [title: string, list: ExpectedList][] {
  return Object.entries(JSON.parse(readFileSync(new URL("expectations.json", folder), "utf8")));
}

type Read = {
  email: string;
  name: string;
  status: string | undefined;
  validation: RowValidation;
  used: boolean;
};

const outKinds = ["leaving", "unsubscribed", "suppressed"];
const heldKinds = ["asked", "mistyped", "invalid"];

/** The pasted text. */
export const textOf = ({ text, file = "" }: ExpectedList, folder: URL): string =>
  text ?? readFileSync(new URL(file, folder), "utf8");

/** Differences from the expected reading; empty if there are none. */
export function objections(
  text: string,
  { people, mentions = [], shown = [], fileName }: Omit<ExpectedList, "text" | "file">,
): string[] {
  const list = parseList(text, {}, fileName);
  const { validations } = new ListValidator(list.records).validate();
  const read = list.records.map(
    ({ email, name, status }, index): Read => ({
      email: email.toLowerCase(),
      name,
      status,
      validation: validations[index] as RowValidation,
      used: false,
    }),
  );
  const seen = everythingShown(list, validations);
  const wrong = people.flatMap((person) => objection(person, read, seen) ?? []);
  for (const { email, name, used, validation } of read)
    if (!used && validation.kind === "ready") wrong.push(`${email} "${name}" is ready, and was not expected`);
  for (const text of [...mentions, ...shown])
    if (!seen.includes(text.toLowerCase())) wrong.push(`"${text}" is not shown`);
  return wrong;
}

function objection({ email, names, kind }: ExpectedPerson, read: Read[], seen: string): string | null {
  const found =
    read.find((one) => !one.used && one.email === email && one.validation.kind !== "twice") ??
    read.find((one) => one.email === email);
  if (found) found.used = true;
  if (kind === "opt") {
    for (const one of read) if (one.email === email) one.used = true;
    return null;
  }
  const is = found && `${found.validation.kind}${found.status ? `/${found.status}` : ""}`;
  if (kind === "ask" || kind === "bad") {
    const isHeld = found
      ? heldKinds.includes(found.validation.kind) ||
        (kind === "ask" && outKinds.includes(found.validation.kind))
      : true;
    const part = email.split("@")[0] ?? email;
    if (!isHeld) return `${email} is ${is}, expected ${kind}`;
    return found || seen.includes(part) ? null : `${email} is shown nowhere, expected ${kind}`;
  }
  if (!found) return `${email} is missing, expected ${kind}`;
  const right =
    kind === "out"
      ? outKinds.includes(found.validation.kind)
      : found.validation.kind === "ready" && (found.status === "pending") === (kind === "pending");
  if (!right) return `${email} is ${is}, expected ${kind}`;
  if (names && !names.includes(found.name))
    return `${email} is named "${found.name}", expected ${names.join(" | ")}`;
  return null;
}

/** The notes about text that the reading left out. */
const shownNotes: NoteCode[] = ["text_ignored", "row_ragged"];

function everythingShown(
  { problems, records, notes, lines }: PastedList,
  validations: RowValidation[],
): string {
  const held = records.filter((_, index) => heldKinds.includes(validations[index]?.kind ?? ""));
  return [
    ...problems.map(({ text }) => text),
    ...records.map(({ raw }) => raw),
    ...held.map(({ raw }) => raw),
    ...notes
      .filter(({ code }) => shownNotes.includes(code))
      .flatMap((note) =>
        note.lines.map((line) => lines.text.slice(lines.start(line - 1), lines.end(line - 1))),
      ),
  ]
    .join("\n")
    .toLowerCase();
}
