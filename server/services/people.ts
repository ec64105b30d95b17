import { countByStatus, findPeople, type PersonRow } from "../db/people";
import { countPeople } from "../db/people-counts";
import type { PeopleFilter } from "../db/people-filter";
import { type Place, pageOfPeople } from "../db/people-pages";
import { joinName } from "../domain/name";
import type { PeopleOrder } from "../domain/people-order";
import type { Ctx } from "./context";

/** A person as the dashboard shows them; times are moments, for the browser to word. */
export type Person = ReturnType<typeof presentPerson>;

export function presentPerson({ firstName, lastName, ...row }: PersonRow) {
  return { ...row, name: joinName(firstName, lastName) };
}

export type PeoplePage = {
  people: Person[];
  /** The id that the next page begins after; null on the last. */
  after: string | null;
  /** The id that the page before ends before; null on the first. */
  before: string | null;
};

/**
 * One page of people. Whose neighbour it was to begin with may be gone: then it is the first.
 * @param limit 1 to 1,000
 */
export async function page(
  ctx: Pick<Ctx, "db">,
  filter: PeopleFilter,
  { order, limit, from }: { order: PeopleOrder; limit: number; from: Place },
): Promise<PeoplePage> {
  // One more than asked for says whether it goes on.
  const { rows, lost } = await pageOfPeople(ctx.db, filter, { order, limit: limit + 1, from });
  const more = rows.length > limit;
  const place = lost ? null : from;
  const backwards = place !== null && "before" in place;
  const people = (backwards && more ? rows.slice(1) : rows.slice(0, limit)).map(presentPerson);
  const [first, last] = [people[0]?.id ?? null, people.at(-1)?.id ?? null];
  return {
    people,
    after: backwards || more ? last : null,
    before: backwards ? (more ? first : null) : place ? first : null,
  };
}

/** How many match, exactly. */
export async function count(ctx: Pick<Ctx, "db">, filter: PeopleFilter): Promise<{ people: number }> {
  const { newsletterId, status, ...narrower } = filter;
  if (Object.values(narrower).every((part) => part === undefined)) {
    const counts = await countByStatus(ctx.db, newsletterId);
    const people = status ? counts[status] : counts.active + counts.pending + counts.unsubscribed;
    return { people };
  }
  return { people: await countPeople(ctx.db, filter) };
}

/** Chosen people, newest first; those who are gone are left out. */
export async function chosen(ctx: Pick<Ctx, "db">, newsletterId: string, ids: string[]): Promise<Person[]> {
  return (await findPeople(ctx.db, newsletterId, ids)).map(presentPerson);
}

export { countByStatus };
