import { pageOf } from "../kernel/cursor";
import type { Ctx } from "../subscribers/context";
import { formatTime, formatTimeOrNull } from "../subscribers/subscribers";
import { getImportRow, importProgress, type OfImport } from "./imports";
import { listRowResults } from "./queries/import-rows";
import { countAdded } from "./schema/import-counts";
import type { ImportResource, ImportRowRecord, RowPlace, RowResult } from "./schema/import-records";

/** An import as the API shows it. @throws AppError not_found */
export async function getImportResource(ctx: Pick<Ctx, "db">, of: OfImport): Promise<ImportResource> {
  const row = await getImportRow(ctx, of);
  const { id, state, digest, rows, rejected, counts, error, undone } = row;
  return {
    ...{ id, state, digest, rows, rejected },
    results: counts,
    people: countAdded(counts),
    progress: importProgress(row),
    error,
    undone: undone && { removed: undone.people, kept: undone.stayed },
    created_at: formatTime(row.createdAt),
    ended_at: formatTimeOrNull(row.endedAt),
    undo_until: formatTimeOrNull(row.undoUntil),
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
  await getImportRow(ctx, of);
  const found = await listRowResults(ctx.db, of.importId, { result, after, limit: limit + 1 });
  const { items, next } = pageOf(found, limit, ({ line, canonical }) => ({ line, canonical }));
  return { items: items.map(({ canonical: _, ...record }) => record), next };
}
