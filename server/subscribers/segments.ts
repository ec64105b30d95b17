import { record } from "../accounts/audit";
import { type ActorContext, type OfNewsletter, withTransaction } from "../accounts/context";
import type { AuditAction } from "../accounts/schema/audit-actions";
import { lockNewsletter } from "../accounts/shared-queries";
import { AppError, invalidField, noLongerExists } from "../kernel/errors";
import { isUniqueViolation, type Tx } from "../platform/db/client";
import type { Ctx } from "./context";
import { resolveFilter } from "./filters";
import type { PeopleFilter, ResolvedFilter } from "./queries/people-filter";
import {
  deleteSegment,
  findSegment,
  insertSegment,
  listSegmentRows,
  type SegmentRow,
  segmentsWith,
  writeSegment,
} from "./queries/segments";
import type { Condition, PeopleFilterInput } from "./schema/filter";
import { maxSegments, type NewSegment, type SavedSegment, type SegmentRecord } from "./schema/segments";
import { formatTime } from "./subscribers";

type OfSegment = { newsletterId: string; id: string };

async function getSegmentRow(db: Ctx["db"] | Tx, { newsletterId, id }: OfSegment): Promise<SegmentRow> {
  const row = await findSegment(db, newsletterId, id);
  if (!row) throw noLongerExists("segment");
  return row;
}

/** The advice for a segment with nested groups, which can't be used. See migration 20261129050000_flat_segments. */
const nestedMessage = (name: string) =>
  `The segment ${name} used nested groups and can't be used any more. Rebuild it on the People page with “all of” or “any of” and “none of” conditions.`;

/** A saved segment's filter. @throws AppError not_found; validation_error for a nested filter or a deleted field */
async function resolveSegment(ctx: Pick<Ctx, "db">, of: OfSegment) {
  const row = await getSegmentRow(ctx.db, of);
  const unusable = (message: string) => invalidField("segment", message);
  if (row.isNested) throw unusable(nestedMessage(row.name));
  try {
    return await resolveFilter(ctx.db, of.newsletterId, row.filter);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw unusable(`The segment ${row.name} can't be used until it is changed: ${error.message}`);
  }
}

/**
 * Resolves a request's filters once.
 * @throws AppError not_found for a deleted segment; validation_error for an invalid condition
 */
export async function resolvePeopleFilter(
  ctx: Pick<Ctx, "db">,
  { newsletterId, filter: { filters, segment } }: { newsletterId: string; filter: PeopleFilterInput },
): Promise<PeopleFilter> {
  const saved = segment === undefined ? [] : [await resolveSegment(ctx, { newsletterId, id: segment })];
  const given = await Promise.all(filters.map((filter) => resolveFilter(ctx.db, newsletterId, filter)));
  return { newsletterId, filters: [...saved, ...given] };
}

/** The filter of a list query's segment. @throws AppError validation_error on `segment`, also if it does not exist */
export async function resolveSegmentQuery(ctx: Pick<Ctx, "db">, of: OfSegment): Promise<ResolvedFilter> {
  try {
    return await resolveSegment(ctx, of);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const unknown = "Unknown segment id. GET /api/v1/segments lists the segments.";
    throw invalidField("segment", error.code === "not_found" ? unknown : error.message);
  }
}

/** The newsletter's segments for the API, by name. */
export async function listSegmentRecords(
  { db }: Pick<Ctx, "db">,
  { newsletterId }: { newsletterId: string },
): Promise<SegmentRecord[]> {
  const rows = await listSegmentRows(db, newsletterId);
  return rows.map(({ id, name, createdAt }) => ({ id, name, created_at: formatTime(createdAt) }));
}

function presentSegment(row: SegmentRow): SavedSegment {
  const { id, name, filter, order, columns, version, isNested } = row;
  return { id, name, filter, order, columns, version, isNested };
}

export async function listSegments(
  { db }: Pick<Ctx, "db">,
  { newsletterId }: { newsletterId: string },
): Promise<SavedSegment[]> {
  return (await listSegmentRows(db, newsletterId)).map(presentSegment);
}

const note = (
  ctx: ActorContext,
  tx: Tx,
  { newsletterId, accountId }: OfNewsletter,
  { action, id: subjectId, name }: { action: AuditAction; id: string; name: string },
) => record(ctx, tx, { accountId, newsletterId, action, subjectId, detail: { name } });

/** Runs work that writes a segment, in a transaction that keeps fields from being deleted. */
async function saving<T>(ctx: ActorContext, newsletterId: string, work: (tx: Tx) => Promise<T>) {
  try {
    return await withTransaction(ctx, async (tx) => {
      await lockNewsletter(tx, newsletterId);
      return work(tx);
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw invalidField("name", "A segment with this name already exists.");
    throw error;
  }
}

/** @throws AppError validation_error on `name` if it is taken or there are too many, or by place in the filter */
export function createSegment(ctx: ActorContext, input: OfNewsletter & NewSegment): Promise<SavedSegment> {
  const { newsletterId } = input;
  return saving(ctx, newsletterId, async (tx) => {
    const rows = await listSegmentRows(tx, newsletterId);
    if (rows.length >= maxSegments)
      throw invalidField(
        "name",
        `A newsletter has at most ${maxSegments} segments. Delete one that is not needed.`,
      );
    await resolveFilter(tx, newsletterId, input.filter);
    const row = await insertSegment(tx, newsletterId, input);
    await note(ctx, tx, input, { action: "segment.created", ...row });
    return presentSegment(row);
  });
}

/**
 * Changes a segment.
 * @throws AppError not_found; validation_error on `version` after another edit; and the errors of `createSegment`
 */
export function updateSegment(
  ctx: ActorContext,
  { version, segment, ...of }: OfNewsletter & OfSegment & { version: number; segment: NewSegment },
): Promise<SavedSegment> {
  return saving(ctx, of.newsletterId, async (tx) => {
    const row = await getSegmentRow(tx, of);
    await resolveFilter(tx, of.newsletterId, segment.filter);
    if (!(await writeSegment(tx, { ...row, version }, segment)))
      throw invalidField(
        "version",
        "This segment was changed since you opened it. Your changes were not saved.",
      );
    await note(ctx, tx, of, { action: "segment.changed", id: of.id, name: segment.name });
    return presentSegment({ ...row, ...segment, version: version + 1, isNested: false });
  });
}

/** Deletes a segment. Its people stay unchanged. @throws AppError not_found */
export function removeSegment(ctx: ActorContext, of: OfNewsletter & OfSegment): Promise<void> {
  return withTransaction(ctx, async (tx) => {
    const { id, name } = await getSegmentRow(tx, of);
    await deleteSegment(tx, of.newsletterId, id);
    await note(ctx, tx, of, { action: "segment.deleted", id, name });
  });
}

type Definition = { noun: "field" | "tag"; at: "key" | "name"; is(condition: Condition): boolean };

/** @throws AppError validation_error naming the segments that use a field or tag: without it they would match other people */
export async function checkSegmentsWithout(
  tx: Tx,
  newsletterId: string,
  { noun, at, is }: Definition,
): Promise<void> {
  const names = segmentsWith(await listSegmentRows(tx, newsletterId), is).map(({ name }) => name);
  if (names.length === 0) return;
  const [which, them] = names.length === 1 ? ["The segment", "it"] : ["The segments", "them"];
  const asks = names.length === 1 ? "uses" : "use";
  throw invalidField(
    at,
    `${which} ${names.join(", ")} ${asks} this ${noun}. Change or delete ${them} first. Nothing was deleted.`,
  );
}
