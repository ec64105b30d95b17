import { v7 as uuidv7 } from "uuid";
import type { RejectedLine } from "./contract/imports";
import type { Db } from "./db/client";

const DAY_MS = 86_400_000;

type Invented = {
  daysAgo: number;
  fileName: string | null;
  source: string;
  wording: string;
  /** How many of the list were on the random already. */
  met: number;
  rejected: RejectedLine[];
};

/** What a newsletter brings in by hand over a year: its old list at first, a fair, a workshop. */
const lists: Invented[] = [
  {
    daysAgo: 338,
    fileName: "readers-2025.csv",
    source: "The old newsletter's own list, moved here",
    wording: "Yes, send me the weekly letter. I can leave at any time.",
    met: 6,
    rejected: [
      { line: 41, text: "anna.keller@", reason: "The email has nothing after the @ sign." },
      {
        line: 187,
        text: "n/a,Otto Brandt",
        reason: "The email needs exactly one @ sign, as in ada@example.org.",
      },
      {
        line: 302,
        text: "unsubscribed 2024-11: mara@letters.example",
        reason: "The list says that they left.",
      },
    ],
  },
  {
    daysAgo: 96,
    fileName: "book-fair.xlsx.csv",
    source: "Sign-up sheet at the book fair",
    wording: "I would like to hear from Paper & Ink once a week.",
    met: 23,
    rejected: [
      {
        line: 12,
        text: "k.lindqvist(at)post",
        reason: "The email needs exactly one @ sign, as in ada@example.org.",
      },
    ],
  },
  {
    daysAgo: 4,
    fileName: null,
    source: "Sign-ups at the letterpress workshop",
    wording: "Put me on the list for the letter.",
    met: 5,
    rejected: [],
  },
];

/** One run to come: its people share its moment. */
export type InventedImport = Invented & { id: string; at: Date };

export function inventImports(now: number): InventedImport[] {
  return lists.map((list) => {
    const at = new Date(now - list.daysAgo * DAY_MS);
    return { ...list, at, id: uuidv7({ msecs: at.getTime() - 120_000 }) };
  });
}

type Person = { id: string; sourceId: string | null; status: string; createdAt: Date };

/** Writes the runs as they would stand. @param people everybody on the random */
export async function writeImports(
  db: Db,
  newsletterId: string,
  staffId: string,
  imports: InventedImport[],
  people: Person[],
): Promise<void> {
  for (const [index, { id, at, fileName, source, wording, met, rejected }] of imports.entries()) {
    const added = people.filter((one) => one.sourceId === id).length;
    const there = people
      .filter((one) => one.createdAt < at && one.sourceId !== id && one.status === "active")
      .slice(-met);
    await db.import.create({
      data: {
        id,
        newsletterId,
        staffId,
        state: "done",
        number: index + 1,
        fileName,
        consentSource: source,
        consentWording: wording,
        rows: added + there.length,
        written: added + there.length,
        rejected: rejected.length,
        counts: {
          new_active: added,
          new_pending: 0,
          already_active: there.length,
          already_pending: 0,
          unsubscribed: 0,
          suppressed: 0,
        },
        createdAt: new Date(at.getTime() - 120_000),
        startedAt: at,
        heartbeatAt: at,
        endedAt: new Date(at.getTime() + 900),
      },
    });
    await db.importUnchanged.createMany({
      data: there.map((one) => ({ importId: id, subscriberId: one.id, outcome: "already_active" })),
    });
    await db.importRejected.createMany({ data: rejected.map((line) => ({ importId: id, ...line })) });
  }
}
