import { pageOf } from "../kernel/cursor";
import type { Ctx } from "../subscribers/context";
import { formatTime, formatTimeOrNull } from "../subscribers/subscribers";
import { getImport, type OfImport } from "./imports";
import { listRowResults } from "./queries/import-rows";
import { countAdded } from "./schema/import-counts";
import type { ImportResource, ImportRowRecord, RowPlace, RowResult } from "./schema/import-records";

/** An import as the API shows it. @throws AppError not_found */
export async function getImportResource(ctx: Pick<Ctx, "db">, of: OfImport): Promise<ImportResource> {
  const record = await getImport(ctx, of);
  const { id, state, digest, rows, rejected, counts, progress, error, undone } = record;
  return {
    ...{ id, state, digest, rows, rejected },
    results: counts,
    people: countAdded(counts),
    progress,
    error,
    undone: undone && { removed: undone.people, kept: undone.stayed },
    created_at: formatTime(record.createdAt),
    ended_at: formatTimeOrNull(record.endedAt),
    undo_until: formatTimeOrNull(record.undoUntil),
  };
}

/**
 * A page of an import's rows with their results, in the order of the list.
 * @param input result: null for all rows; after: null for the first page
 * @throws AppError not_found
 */
export async function listImportRows(
  ctx: Pick<Ctx, "db">,
  {
    result,
    after,
    limit,
    ...of
  }: OfImport & { result: RowResult | null; after: RowPlace | null; limit: number },
): Promise<{ items: ImportRowRecord[]; next: RowPlace | null }> {
  await getImport(ctx, of);
  const found = await listRowResults(ctx.db, of.importId, { result, after, limit: limit + 1 });
  const { items, next } = pageOf(found, limit, ({ line, canonical }) => ({ line, canonical }));
  return { items: items.map(({ canonical: _, ...record }) => record), next };
}
