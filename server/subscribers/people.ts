import { recordChunk } from "../accounts/audit";
import { type OfNewsletter, withTransaction } from "../accounts/context";
import type { CursorPage } from "../kernel/cursor";
import type { SignedLinks } from "../mail/signed-links";
import { presentAttributes } from "./attributes";
import type { Ctx } from "./context";
import { countPeople } from "./queries/people-counts";
import type { PeopleFilter } from "./queries/people-filter";
import { type PageStart, pageOfPeople } from "./queries/people-pages";
import { listNamedSubscribers, type NamedSubscriberRow } from "./queries/subscribers";
import type { PeopleOrder } from "./schema/people-list";
import type { SubscriberRecord } from "./schema/subscriber";
import { presentSubscriber } from "./subscribers";

/** A person on the dashboard: the public record and more. Times are Dates, which the browser formats. */
function presentPerson(row: NamedSubscriberRow, { fields = {}, tags = [] }: Attributes = {}) {
  const { created_at: _, ...record } = presentSubscriber(row, row.createdAt);
  const { source, sourceName, version, createdAt, confirmedAt, unsubscribedAt, externalId } = row;
  const subscribedAt = row.subscribedAt ?? createdAt;
  const times = { createdAt, subscribedAt, confirmedAt, unsubscribedAt };
  const more = { source, sourceName, version, externalId, ...times };
  return { ...record, ...more, fields, tags };
}

type Attributes = Pick<SubscriberRecord, "fields" | "tags">;
export type PresentedPerson = ReturnType<typeof presentPerson>;

/** Presents people of one newsletter, with fields by key and tags by name. Skips the lookups when there are none. */
export async function presentPeople(
  ctx: Pick<Ctx, "db">,
  { newsletterId, rows }: { newsletterId: string; rows: NamedSubscriberRow[] },
): Promise<PresentedPerson[]> {
  const include = { fields: rows.some(({ fields }) => fields), tags: rows.some(({ tags }) => tags?.length) };
  const attributes = await presentAttributes(ctx, { newsletterId, rows, include });
  return rows.map((row, i) => presentPerson(row, attributes[i]));
}

/** `previous`: the id that the previous page ends before; null on the first page. */
export type PeopleList = CursorPage<PresentedPerson, string> & { previous: string | null };

/** `limit`: 1 to 1,000. */
type PeoplePage = { filter: PeopleFilter; order: PeopleOrder; limit: number; from: PageStart };

/** A page of people. It is the first page if the person at its border is gone. */
export async function listPeople(
  ctx: Pick<Ctx, "db">,
  { filter, order, limit, from }: PeoplePage,
): Promise<PeopleList> {
  // One extra row shows whether another page exists.
  const { rows, lost } = await pageOfPeople(ctx.db, filter, { order, limit: limit + 1, from });
  const more = rows.length > limit;
  const place = lost ? null : from;
  const backwards = place !== null && "before" in place;
  const shown = backwards && more ? rows.slice(1) : rows.slice(0, limit);
  const people = await presentPeople(ctx, { newsletterId: filter.newsletterId, rows: shown });
  const [first, last] = [people[0]?.id ?? null, people.at(-1)?.id ?? null];
  return {
    items: people,
    next: backwards || more ? last : null,
    previous: backwards ? (more ? first : null) : place ? first : null,
  };
}

/** Records an export in the audit log. `continues`: the export's pages share one entry, which counts up. */
function recordExport(
  ctx: Pick<Ctx, "db" | "actor" | "requestId">,
  chunk: OfNewsletter & { people: number; continues: boolean },
): Promise<void> {
  return withTransaction(ctx, (tx) => recordChunk(ctx, tx, { action: "people.exported", ...chunk }));
}

/** `links` creates each unsubscribe link; null leaves the links out. */
type ExportLinks = { links?: Pick<SignedLinks, "unsubscribeUrl"> | null };
/** A person in an exported file, with the unsubscribe link if requested. */
export type PersonToExport = PresentedPerson & { unsubscribeLink?: string };

const withLinks = (people: PresentedPerson[], newsletterId: string, links: ExportLinks["links"]) =>
  people.map((person): PersonToExport => {
    if (!links) return person;
    return { ...person, unsubscribeLink: links.unsubscribeUrl({ newsletterId, subscriberId: person.id }) };
  });

/** Exports people, newest first, 1,000 at a time. The audit log records each page before it is returned. */
export async function exportPeople(
  ctx: Pick<Ctx, "db" | "actor" | "requestId">,
  {
    filter,
    after,
    links,
    ...of
  }: OfNewsletter & ExportLinks & { filter: PeopleFilter; after: string | null },
): Promise<PeopleList & { items: PersonToExport[] }> {
  const from = after ? { after } : null;
  const page = await listPeople(ctx, { filter, order: "newest", limit: 1_000, from });
  await recordExport(ctx, { ...of, people: page.items.length, continues: after !== null });
  return { ...page, items: withLinks(page.items, of.newsletterId, links) };
}

/** Exports selected people, without those who are gone. */
export async function exportChosen(
  ctx: Pick<Ctx, "db" | "actor" | "requestId">,
  { ids, links, ...of }: OfNewsletter & ExportLinks & { ids: string[] },
): Promise<PersonToExport[]> {
  const { newsletterId } = of;
  const rows = await listNamedSubscribers(ctx.db, newsletterId, ids);
  await recordExport(ctx, { ...of, people: rows.length, continues: false });
  return withLinks(await presentPeople(ctx, { newsletterId, rows }), newsletterId, links);
}

export const countMatching = async (ctx: Pick<Ctx, "db">, filter: PeopleFilter) => ({
  people: await countPeople(ctx.db, filter),
});
