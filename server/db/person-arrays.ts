import type { SubscriberRow } from "./subscribers";
import { textArray } from "./text-array";

/** What a request, or a row of an import, brings about a new subscriber. */
export type NewPerson = Pick<
  SubscriberRow,
  "email" | "emailCanonical" | "firstName" | "lastName" | "status"
> &
  Partial<Pick<SubscriberRow, "fields" | "tags">>;

/** A column that is mostly the same for all rows: then it crosses once, and the array stays empty. */
export type CommonColumn = { one: string | null; each: string };

export function commonColumn(values: (string | null)[]): CommonColumn {
  const one = values[0] ?? null;
  if (values.every((value) => value === one)) return { one, each: "{}" };
  return { one: null, each: textArray(values) };
}

/** New people as arrays for unnest, each as PostgreSQL writes it: a thread without the database can make them. */
export type PersonArrays = {
  emails: string;
  canonicals: string;
  firstNames: string;
  lastNames: string;
  statuses: CommonColumn;
  /** Fields and tags as texts; null where nobody has any, as mostly. */
  attributes: { fields: string; tags: string } | null;
};

/** Most addresses are written in their canonical form: then they cross once. */
export function personArrays(people: NewPerson[]): PersonArrays {
  const column = (name: "email" | "firstName" | "lastName") =>
    textArray(people.map((person) => person[name]));
  return {
    emails: column("email"),
    canonicals: textArray(
      people.map(({ email, emailCanonical }) => (emailCanonical === email ? null : emailCanonical)),
    ),
    firstNames: column("firstName"),
    lastNames: column("lastName"),
    statuses: commonColumn(people.map(({ status }) => status)),
    attributes: people.some(({ fields, tags }) => fields || tags?.length)
      ? {
          fields: textArray(people.map(({ fields }) => (fields ? JSON.stringify(fields) : null))),
          tags: textArray(people.map(({ tags }) => (tags?.length ? `{${tags.join()}}` : null))),
        }
      : null,
  };
}
