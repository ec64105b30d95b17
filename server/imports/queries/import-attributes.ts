import type { Tx } from "../../platform/db/client";
import { textArray } from "../../platform/db/text-array";
import type { StoredFields } from "../../subscribers/shared-queries";

/** Fields (by number), tags and external id of one row of a plan. */
type RowAttributeValues = {
  canonical: string;
  fields: StoredFields | null;
  tags: string[];
  externalId: string | null;
};

export async function writeRowAttributes(
  tx: Tx,
  importId: string,
  rows: RowAttributeValues[],
): Promise<void> {
  const canonicals = textArray(rows.map(({ canonical }) => canonical));
  const fields = textArray(rows.map((row) => row.fields && JSON.stringify(row.fields)));
  const tags = textArray(rows.map((row) => (row.tags.length > 0 ? JSON.stringify(row.tags) : null)));
  const externalIds = textArray(rows.map(({ externalId }) => externalId));
  await tx.$executeRaw`
    UPDATE import_rows r SET fields = said.fields::jsonb, external_id = said.external_id,
      tag_names = CASE WHEN said.tags IS NOT NULL THEN ARRAY(SELECT jsonb_array_elements_text(said.tags::jsonb)) END
    FROM unnest(${canonicals}::text[], ${fields}::text[], ${tags}::text[], ${externalIds}::text[])
      AS said (canonical, fields, tags, external_id)
    WHERE r.import_id = ${importId}::uuid AND r.email_canonical = said.canonical COLLATE "C"`;
}

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
