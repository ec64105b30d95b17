import { AppError } from "../kernel/errors";
import type { Db, Tx } from "../platform/db/client";
import { applyAttributes, resolveAttributes } from "../subscribers/attributes";
import { canonicalTag } from "../subscribers/field-values";
import { resolveTagIds } from "../subscribers/tags";
import { listRowTags, resolveRowTagIds } from "./queries/import-attributes";
import type { RowAttributes } from "./read-part";

/** Limit of values that an error lists. */
const NAMED = 20;
const none = { fields: null, tags: null };

/**
 * Adds their fields, tags and external ids to rows, validated against the newsletter's fields.
 * @throws AppError validation_error with the invalid lines
 */
export async function addAttributes(
  ctx: { db: Db; tx: Tx },
  newsletterId: string,
  attributes: RowAttributes[],
): Promise<void> {
  if (attributes.length === 0) return;
  const resolved = await resolveAttributes(ctx, newsletterId, { inputs: attributes, dryRun: true });
  const faults = resolved.flatMap(({ faults }, i) =>
    faults.map(({ field, message }) => `Line ${attributes[i]?.row.line}: ${field}: ${message}`),
  );
  if (faults.length > 0)
    throw new AppError(
      "validation_error",
      `${faults.length === 1 ? "1 value is" : `${faults.length} values are`} not valid. Check the list again: the newsletter's fields may have changed.`,
      { errors: { rows: faults.slice(0, NAMED) } },
    );
  for (const [i, { row, tags = [], external_id: externalId = null }] of attributes.entries()) {
    const { fields = null } = applyAttributes(none, resolved[i]?.change ?? {});
    row.attributes = { fields, tags: tags.map(({ name }) => name), externalId };
  }
}

/**
 * Resolves the tags of a plan's rows to ids. New tags are committed at once and stay, because other requests that add
 * tags would otherwise wait for the import.
 */
export async function resolvePlannedTagIds(
  db: Db,
  tx: Tx,
  { newsletterId, importId }: { newsletterId: string; importId: string },
): Promise<void> {
  const names = await listRowTags(tx, importId);
  if (names.length === 0) return;
  const tags = names.map((name) => ({ name, canonical: canonicalTag(name) }));
  const numbers = await resolveTagIds({ db }, newsletterId, tags);
  await resolveRowTagIds(
    tx,
    importId,
    tags.flatMap(({ name, canonical }) => {
      const number = numbers.get(canonical);
      return number === undefined ? [] : [{ name, number }];
    }),
  );
}
