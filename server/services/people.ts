import type { Ctx } from "../context";
import {
  countByStatus,
  countPeople,
  findPeople,
  type PeopleFilter,
  type PeopleOrder,
  type PersonRow,
  pageOfPeople,
} from "../db/people";
import { joinName } from "../domain/name";

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

export type Place = { after: string } | { before: string } | null;

/** One page of people. @param limit 1 to 1,000 */
export async function page(
  ctx: Pick<Ctx, "db">,
  filter: PeopleFilter,
  { order, limit, from }: { order: PeopleOrder; limit: number; from: Place },
): Promise<PeoplePage> {
  // One more than asked for says whether it goes on.
  const rows = await pageOfPeople(ctx.db, filter, { order, limit: limit + 1, from });
  const more = rows.length > limit;
  const backwards = from !== null && "before" in from;
  const people = (backwards && more ? rows.slice(1) : rows.slice(0, limit)).map(presentPerson);
  const [first, last] = [people[0]?.id ?? null, people.at(-1)?.id ?? null];
  return {
    people,
    after: backwards || more ? last : null,
    before: backwards ? (more ? first : null) : from ? first : null,
  };
}

/** Beyond this, those who match a search are not counted one by one. */
const COUNTED_UP_TO = 10_000;

/** How many match. `exact: false`: there are more than that. */
export async function count(
  ctx: Pick<Ctx, "db">,
  filter: PeopleFilter,
): Promise<{ people: number; exact: boolean }> {
  const { newsletterId, status, ...narrower } = filter;
  if (Object.values(narrower).every((part) => part === undefined)) {
    const counts = await countByStatus(ctx.db, newsletterId);
    return {
      people: status ? counts[status] : counts.active + counts.pending + counts.unsubscribed,
      exact: true,
    };
  }
  const people = await countPeople(ctx.db, filter, COUNTED_UP_TO);
  return people > COUNTED_UP_TO ? { people: COUNTED_UP_TO, exact: false } : { people, exact: true };
}

/** Chosen people, newest first; those who are gone are left out. */
export async function chosen(ctx: Pick<Ctx, "db">, newsletterId: string, ids: string[]): Promise<Person[]> {
  return (await findPeople(ctx.db, newsletterId, ids)).map(presentPerson);
}

export { countByStatus };
