import type { Tx } from "../../platform/db/client";

/** Tags of a plan's rows in the order of the lines, each spelling once. */
export async function listRowTags(tx: Tx, importId: string): Promise<string[]> {
  const rows = await tx.$queryRaw<{ name: string }[]>`
    SELECT name FROM import_rows, unnest(tag_names) AS name WHERE import_id = ${importId}::uuid
    GROUP BY name ORDER BY min(line), name`;
  return rows.map(({ name }) => name);
}

export async function resolveRowTagIds(
  tx: Tx,
  importId: string,
  tags: { name: string; number: number }[],
): Promise<void> {
  const numbers = JSON.stringify(Object.fromEntries(tags.map(({ name, number }) => [name, number])));
  await tx.$executeRaw`
    UPDATE import_rows SET tags = (
      SELECT array_agg((numbers ->> name)::int ORDER BY n)
      FROM unnest(tag_names) WITH ORDINALITY AS said (name, n), (SELECT ${numbers}::jsonb AS numbers) AS given WHERE numbers ? name
    ) WHERE import_id = ${importId}::uuid AND tag_names IS NOT NULL`;
}
