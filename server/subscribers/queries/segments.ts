import { newId } from "../../kernel/ids";
import { type Db, Prisma, type Tx } from "../../platform/db/client";
import type { Condition, Filter } from "../schema/filter";
import type { SavedSegment } from "../schema/segments";

export type SegmentRow = Omit<Prisma.SegmentGetPayload<object>, "filter" | "order" | "columns"> &
  Pick<SavedSegment, "filter" | "order" | "columns">;

type SegmentData = Pick<SegmentRow, "name" | "filter" | "order" | "columns">;

const written = ({ name, filter, order, columns }: SegmentData) => ({
  name,
  canonical: name.toLowerCase(),
  filter: filter as Prisma.InputJsonValue,
  isNested: false,
  order,
  columns: columns ?? Prisma.DbNull,
});

export function listSegmentRows(db: Db | Tx, newsletterId: string): Promise<SegmentRow[]> {
  return db.segment.findMany({ where: { newsletterId }, orderBy: { canonical: "asc" } }) as Promise<
    SegmentRow[]
  >;
}

export function findSegment(db: Db | Tx, newsletterId: string, id: string): Promise<SegmentRow | null> {
  return db.segment.findFirst({ where: { newsletterId, id } }) as Promise<SegmentRow | null>;
}

/** @throws an error that `isUniqueViolation` recognises, when another segment has the name */
export async function insertSegment(tx: Tx, newsletterId: string, segment: SegmentData): Promise<SegmentRow> {
  return (await tx.segment.create({
    data: { id: newId(), newsletterId, ...written(segment) },
  })) as unknown as SegmentRow;
}

/**
 * Replaces a segment of this version, or its filter alone.
 * @returns false when the segment has another version; then it stays unchanged
 */
export async function writeSegment(
  tx: Tx,
  { newsletterId, id, version }: Pick<SegmentRow, "newsletterId" | "id" | "version">,
  change: SegmentData | Pick<SegmentData, "filter">,
): Promise<boolean> {
  const changed = "name" in change ? written(change) : { filter: change.filter as Prisma.InputJsonValue };
  const { count } = await tx.segment.updateMany({
    where: { newsletterId, id, version },
    data: { ...changed, version: version + 1 },
  });
  return count === 1;
}

export async function deleteSegment(tx: Tx, newsletterId: string, id: string): Promise<void> {
  await tx.segment.deleteMany({ where: { newsletterId, id } });
}

export const segmentsWith = <Segment extends { filter: Filter }>(
  segments: Segment[],
  is: (condition: Condition) => boolean,
): Segment[] => segments.filter(({ filter: { conditions, not } }) => [...conditions, ...not].some(is));
