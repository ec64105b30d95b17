import { type TextName, textNames } from "./subscriber-texts";

// Apart from the schema of the filter: the page of people is smaller by zod's 30 kB.

/** How the list of people may be ordered; a minus reverses it. People without a name or a confirmation are last either way. */
export type PeopleOrder = "newest" | "oldest" | TextName | `-${TextName}` | "confirmed" | "-confirmed";
export const peopleOrders: readonly PeopleOrder[] = [
  "newest",
  "oldest",
  ...textNames.flatMap((name) => [name, `-${name}`] as const),
  "confirmed",
  "-confirmed",
];

/** How a subscriber can have been added. */
export const sources = ["api", "dashboard", "import", "public", "operator"] as const;

/** An import's people: those it added, those who were on the list already, and those of them the import's list calls unsubscribed. */
export const importParts = ["added", "unchanged", "still_here"] as const;
