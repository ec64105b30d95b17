// Without zod, as people-list.ts: the page of people imports it.

type SubscriberText = {
  label: string;
  /** The properties of a row that store it; each is a column, in snake case. */
  stored: readonly string[];
  /** Whether a subscriber may be without it. */
  optional: boolean;
};

/**
 * The texts of a subscriber that staff can edit. Inserts, updates, activities, filters, orders, the dashboard and exports are
 * derived from this table. A new text needs columns of `subscribers`, `import_rows` and, in lower case, `people_search`; its
 * schemas in subscriber.ts; and a line in `SubscriberRow`, `newRow`, `columnsOf` and `presentSubscriber`.
 */
export const subscriberTexts = {
  email: { label: "Email", stored: ["email"], optional: false },
  name: { label: "Name", stored: ["firstName", "lastName"], optional: true },
} as const satisfies Record<string, SubscriberText>;
export type TextName = keyof typeof subscriberTexts;
export const textNames = Object.keys(subscriberTexts) as TextName[];

/** A value for each of the texts, by name. */
export const eachText = <Value>(valueFor: (name: TextName) => Value) =>
  Object.fromEntries(textNames.map((name) => [name, valueFor(name)])) as Record<TextName, Value>;

export type StoredText = (typeof subscriberTexts)[TextName]["stored"][number];
export const storedTexts: StoredText[] = textNames.flatMap((name) => [...subscriberTexts[name].stored]);
