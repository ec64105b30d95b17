import { textArray } from "../../platform/db/text-array";
import { type StoredText, storedTexts } from "../schema/subscriber-texts";
import type { SubscriberRow } from "./subscribers";

/** The data of a new subscriber, from a request or a row of an import. */
export type NewPerson = Pick<
  SubscriberRow,
  "email" | "emailCanonical" | "firstName" | "lastName" | "status"
> &
  Partial<Pick<SubscriberRow, StoredText | RareColumn>>;
/** The columns that are empty in most rows. */
type RareColumn = "fields" | "tags" | "subscribedAt" | "externalId";

/** A column that usually has one value for all rows: that value is sent once, and the array stays empty. */
export type CommonColumn = { one: string | null; each: string };

export function commonColumn(values: (string | null)[]): CommonColumn {
  const one = values[0] ?? null;
  if (values.every((value) => value === one)) return { one, each: "{}" };
  return { one: null, each: textArray(values) };
}

/**
 * A column that is often empty. unnest fills a short array with nulls, so that an empty column sends no data.
 */
export const rareArray = (values: (string | null)[]) =>
  values.every((value) => value === null) ? "{}" : textArray(values);

/** The texts, each with the name of its array. */
export const arrayNames = storedTexts.map((name) => [name, `${name}s`] as const);

/**
 * New people as arrays for unnest, in PostgreSQL's text format. A worker thread without a database connection can
 * create them.
 */
export type PersonArrays = Record<`${StoredText}s`, string> & {
  canonicals: string;
  statuses: CommonColumn;
  /** The rare columns as text; usually null, because nobody has any. */
  rare: Record<RareColumn, string> | null;
};

/** Most addresses equal their canonical form and are sent only once. */
export function personArrays(people: NewPerson[]): PersonArrays {
  const arrays = {
    canonicals: textArray(
      people.map(({ email, emailCanonical }) => (emailCanonical === email ? null : emailCanonical)),
    ),
    statuses: commonColumn(people.map(({ status }) => status)),
    rare: people.some(
      ({ fields, tags, subscribedAt, externalId }) => fields || tags?.length || subscribedAt || externalId,
    )
      ? {
          fields: rareArray(people.map(({ fields }) => (fields ? JSON.stringify(fields) : null))),
          tags: rareArray(people.map(({ tags }) => (tags?.length ? `{${tags.join()}}` : null))),
          subscribedAt: rareArray(people.map(({ subscribedAt }) => subscribedAt?.toISOString() ?? null)),
          externalId: rareArray(people.map(({ externalId }) => externalId ?? null)),
        }
      : null,
  } as PersonArrays;
  // A spread of these costs eight times as much.
  for (const [name, array] of arrayNames)
    arrays[array] = textArray(people.map((person) => person[name] ?? null));
  return arrays;
}
