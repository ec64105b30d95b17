// Without zod, like people-list.ts, because the page of people imports this file.

type SubscriberText = {
  /** The properties of a row that store the text. Each is a column, in snake case. */
  stored: readonly string[];
  /** Whether a subscriber can have no value. */
  optional: boolean;
};

/**
 * The texts of a subscriber that staff can edit. Inserts, updates, activities, filters, orders, the dashboard, imports and
 * exports use this table. CONTRIBUTING.md lists what else a new text needs. A missing value is stored as NULL; only the
 * names are stored as empty texts.
 */
export const subscriberTexts = {
  email: { stored: ["email"], optional: false },
  name: { stored: ["firstName", "lastName"], optional: true },
} as const satisfies Record<string, SubscriberText>;
export type TextName = keyof typeof subscriberTexts;
export const textNames = Object.keys(subscriberTexts) as TextName[];

/** An object with a value for each text, by name. */
export const eachText = <Value>(valueFor: (name: TextName) => Value) =>
  Object.fromEntries(textNames.map((name) => [name, valueFor(name)])) as Record<TextName, Value>;

export type StoredText = (typeof subscriberTexts)[TextName]["stored"][number];
export const storedTexts: StoredText[] = textNames.flatMap((name) => [...subscriberTexts[name].stored]);
