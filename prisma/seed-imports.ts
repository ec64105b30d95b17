import { v7 as uuidv7 } from "uuid";
import { noOutcomes } from "../server/imports/schema/import-counts";
import type { Db } from "../server/platform/db/client";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const ONE_AT = "The email needs exactly one @ sign, as in ada@example.org.";

/** What a newsletter imports over a year: its old list at first, a fair, a workshop. `known`: were on the list already. */
const lists = [
  {
    daysAgo: 338,
    fileName: "readers-2025.csv",
    consentSource: "The old newsletter's own list, moved here",
    consentWording: "Yes, send me the weekly letter. I can leave at any time.",
    known: 6,
    rejected: [
      { line: 41, text: "anna.keller@", reason: "The email has nothing after the @ sign." },
      { line: 187, text: "n/a,Otto Brandt", reason: ONE_AT },
    ],
  },
  {
    daysAgo: 96,
    fileName: "book-fair.xlsx.csv",
    consentSource: "Sign-up sheet at the book fair",
    consentWording: "I would like to hear from Paper & Ink once a week.",
    known: 23,
    rejected: [{ line: 12, text: "k.lindqvist(at)post", reason: ONE_AT }],
  },
  {
    daysAgo: 4,
    fileName: null,
    consentSource: "Sign-ups at the letterpress workshop",
    consentWording: "Put me on the list for the letter.",
    known: 5,
    rejected: [],
  },
];

export type InventedImport = (typeof lists)[number] & { id: string; at: Date };

/** The imports to come: the people of one share its moment. */
export function inventImports(now: number): InventedImport[] {
  return lists.map((list) => {
    const at = new Date(now - list.daysAgo * DAY_MS);
    return { ...list, at, id: uuidv7({ msecs: at.getTime() - 2 * MINUTE_MS }) };
  });
}

type Invented = { id: string; sourceId: string | null; status: string; createdAt: Date };

/** Writes the imports as finished. @param people everybody on the list */
export async function writeImports(
  db: Db,
  by: { newsletterId: string; staffId: string },
  imports: InventedImport[],
  people: Invented[],
): Promise<void> {
  for (const [index, { id, at, daysAgo: _, known, rejected, ...words }] of imports.entries()) {
    const added = people.filter((one) => one.sourceId === id).length;
    const there = people
      .filter((one) => one.createdAt < at && one.sourceId !== id && one.status === "active")
      .slice(-known);
    const counts = { ...noOutcomes, new_active: added, already_active: there.length };
    await db.import.create({
      data: {
        ...by,
        ...words,
        id,
        state: "done",
        number: index + 1,
        rows: added + there.length,
        written: added + there.length,
        rejected: rejected.length,
        counts,
        createdAt: new Date(at.getTime() - 2 * MINUTE_MS),
        startedAt: at,
        endedAt: new Date(at.getTime() + 900),
      },
    });
    await db.importUnchanged.createMany({
      data: there.map((one) => ({ importId: id, subscriberId: one.id, outcome: "already_active" })),
    });
    await db.importRejected.createMany({ data: rejected.map((line) => ({ importId: id, ...line })) });
  }
}
