import type { SuppressionReason } from "../contract/suppressions";
import { type DuplicateRow, listDuplicateRows } from "../db/duplicates";
import { listNamedSubscribers, readSubscribers } from "../db/subscribers";
import type { Ctx } from "./context";
import { type PresentedPerson, presentPeople } from "./people";

const GROUPS = 50;

/** One person by their addresses; the first is whom to keep. */
export type AddressGroup = {
  people: (PresentedPerson & { suppression: SuppressionReason | null })[];
  /** How many more there are: they are listed when these are merged. */
  more: number;
};

export type DuplicatePage = {
  groups: AddressGroup[];
  /** How many groups there are in all. */
  total: number;
  /** What the next page begins after; null on the last. */
  after: string | null;
};

/**
 * People who are on the list twice: at one mailbox, as far as the addresses tell. A long read: it looks at everybody.
 * @param after of the page before; null: the first page
 */
export async function listDuplicates(
  ctx: Pick<Ctx, "db">,
  newsletterId: string,
  after: string | null,
): Promise<DuplicatePage> {
  const rows = await listDuplicateRows(ctx.db, newsletterId, { after, limit: GROUPS });
  // Those of the last page are merged by now.
  if (rows.length === 0 && after !== null) return listDuplicates(ctx, newsletterId, null);
  const ids = rows.map(({ id }) => id);
  const named = await listNamedSubscribers(ctx.db, newsletterId, ids);
  const presented = await presentPeople(ctx, newsletterId, named);
  const suppressions = new Map(
    (await readSubscribers(ctx.db, newsletterId, ids)).map(({ id, suppression }) => [id, suppression]),
  );
  const byId = new Map(presented.map((person) => [person.id, person]));
  const groups = new Map<string, DuplicateRow[]>();
  for (const row of rows) groups.set(row.key, [...(groups.get(row.key) ?? []), row]);
  const last = rows.at(-1);
  return {
    groups: [...groups.values()].map((group) => ({
      // Who was erased since then is not among them.
      people: group.flatMap(({ id }) => {
        const person = byId.get(id);
        return person ? [{ ...person, suppression: suppressions.get(id) ?? null }] : [];
      }),
      more: (group[0]?.people ?? 0) - group.length,
    })),
    total: last?.total ?? 0,
    after: last && last.remaining > groups.size ? last.key : null,
  };
}
