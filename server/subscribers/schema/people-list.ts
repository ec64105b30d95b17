import { type TextName, textNames } from "./subscriber-texts";

// A separate file without zod: the page of people is 30 kB smaller than with the schema of the filter.

/**
 * The orders of the list of people; a minus reverses the order. People without a name or a confirmation are always
 * last.
 */
export type PeopleOrder = "newest" | "oldest" | Sorted | `-${Sorted}`;
type Sorted = TextName | "subscribed_at" | "confirmed";
export const peopleOrders: readonly PeopleOrder[] = [
  "newest",
  "oldest",
  ...[...textNames, "subscribed_at" as const, "confirmed" as const].flatMap(
    (name) => [name, `-${name}`] as const,
  ),
];

/** How a subscriber was added. */
export const sources = ["api", "dashboard", "import", "public", "operator"] as const;

/**
 * The people of an import: added, already on the list, and already on the list but unsubscribed in the imported list.
 */
export const importParts = ["added", "unchanged", "still_here"] as const;
