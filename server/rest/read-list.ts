// Reads a list in the body of a request: JSON, NDJSON or CSV with the columns of an export.

import { setImmediate } from "node:timers/promises";
import { parseFieldCell, readTags } from "../imports/list-parser/attribute-cells";
import { LineIndex } from "../imports/list-parser/line-index";
import { RowReader } from "../imports/list-parser/row-reader";
import { maxImportRows } from "../imports/schema/import-counts";
import { ImportItem, type listTypes } from "../imports/schema/import-records";
import type { ListInput, NewStatus, PlanRow, RejectedLine } from "../imports/schema/imports";
import { parseEmail } from "../kernel/email";
import { AppError, invalidField, malformed } from "../kernel/errors";
import { describeJsonError } from "../platform/http/request-body";
import type { Ctx } from "../subscribers/context";
import { parseFieldValue } from "../subscribers/field-values";
import { listFields } from "../subscribers/fields";
import type { FieldRecord } from "../subscribers/schema/fields";
import { findExternalIds } from "../subscribers/shared-queries";
import { externalIdSentence } from "../subscribers/subscribers";

export type ListType = (typeof listTypes)[number];

/** An item of the list. `text`: as it was sent. */
type Item = { line: number; value: unknown; text: () => string };

/** The value of a line that is not JSON, or of a row with too many cells. */
const unreadable = Symbol("unreadable");

/** Writes an item as JSON. An item that is nested too deeply for that becomes an ellipsis. */
function writtenAgain(item: unknown): string {
  try {
    return JSON.stringify(item) ?? "";
  } catch {
    return "…";
  }
}

function* itemsOfJson(text: string): Generator<Item> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed(describeJsonError(text));
  }
  if (!Array.isArray(value)) throw invalidField("body", "The body must be a JSON array of people.");
  yield* itemsOfArray(value);
}

function* itemsOfArray(list: unknown[]): Generator<Item> {
  for (const [index, item] of list.entries())
    yield { line: index + 1, value: item, text: () => writtenAgain(item) };
}

function* itemsOfNdjson(text: string): Generator<Item> {
  const lines = new LineIndex(text);
  for (let index = 0; index < lines.count; index++) {
    const line = text.slice(lines.start(index), lines.end(index)).trim();
    if (line === "") continue;
    let value: unknown = unreadable;
    try {
      value = JSON.parse(line);
    } catch {}
    yield { line: index + 1, value, text: () => line };
  }
}

const PREFIX = "fields.";

/** Reads a row's cells by the column names. Cells of unknown columns stay as they are, to be named as ignored. */
function valueOfRow(cells: [column: string, cell: string][], fields: Map<string, FieldRecord>): unknown {
  const value: Record<string, unknown> = {};
  const values: Record<string, unknown> = {};
  for (const [column, cell] of cells) {
    if (column.startsWith(PREFIX)) {
      const key = column.slice(PREFIX.length);
      const field = fields.get(key);
      if (cell === "") continue;
      const parsed = field && parseFieldCell(field, cell);
      // An unreadable cell is rejected with the message for its field.
      values[key] = parsed?.ok ? parsed.value : cell;
    } else if (column === "tags") value.tags = readTags(cell);
    else if (cell !== "" || column === "email") value[column] = cell;
  }
  if (Object.keys(values).length > 0) value.fields = values;
  return value;
}

function* itemsOfCsv(text: string, fields: Map<string, FieldRecord>): Generator<Item> {
  const reader = new RowReader(new LineIndex(text), ",");
  if (!reader.next()) return;
  const columns = Array.from({ length: reader.count }, (_, index) => reader.value(index).trim());
  if (!columns.includes("email"))
    throw invalidField(
      "body",
      "The first line of a CSV list must name its columns, and one of them must be email. Known columns: email, name, status, tags, subscribed_at, external_id and fields.KEY.",
    );
  const twice = columns.find((column, index) => column !== "" && columns.indexOf(column) < index);
  if (twice !== undefined)
    throw invalidField("body", `The column ${twice.slice(0, 64)} is there twice. Send it once.`);
  while (reader.next()) {
    const { line, from, to, count } = reader;
    const row = () => text.slice(from, to);
    if (row().trim() === "") continue;
    // A row with more cells than columns has an unquoted comma, so its cells can't be told apart.
    const value =
      count > columns.length
        ? unreadable
        : valueOfRow(
            columns.map((column, index) => [column, reader.isEmpty(index) ? "" : reader.value(index)]),
            fields,
          );
    yield { line: line + 1, value, text: row };
  }
}

const readers: Record<ListType, (text: string, fields: Map<string, FieldRecord>) => Iterable<Item>> = {
  "application/json": itemsOfJson,
  "application/x-ndjson": itemsOfNdjson,
  "text/csv": itemsOfCsv,
};

const unreadableMessages: Record<ListType, string> = {
  "application/json": "",
  "application/x-ndjson": "The line is not JSON.",
  "text/csv":
    "The row has more cells than the first line has columns. Put cells with commas in double quotes.",
};

/** The first error of an item's field values. */
function fieldFault(
  values: Record<string, unknown> | undefined,
  fields: Map<string, FieldRecord>,
): string | null {
  for (const [key, value] of Object.entries(values ?? {})) {
    const field = fields.get(key);
    const parsed = field && parseFieldValue(field, value);
    if (!parsed) return `The newsletter has no field with the key ${key.slice(0, 64)}.`;
    if (!parsed.ok) return `fields.${key}: ${parsed.message}`;
  }
  return null;
}

/** Items read between two turns of other requests. */
const TURN = 1_000;
const longestText = 1_000;
const longestReason = 300;
/** Limit of rejected rows that an error lists. */
const NAMED = 20;

/** Sorts items into rows of a plan and rejected ones. */
class ItemSorter {
  rows: PlanRow[] = [];
  readonly rejected: RejectedLine[] = [];
  readonly #lines = new Map<string, number>();
  readonly #externalIds = new Map<string, number>();

  constructor(
    readonly fields: Map<string, FieldRecord>,
    readonly defaultStatus: NewStatus,
  ) {}

  add({ line, value, text }: Item, unreadableMessage: string): void {
    const fault = value === unreadable ? unreadableMessage : this.#read(line, value);
    if (fault === null) return;
    this.rejected.push({ line, text: text().slice(0, longestText), reason: fault.slice(0, longestReason) });
  }

  /** Rejects the rows whose external id another subscriber has. */
  async rejectTakenIds({ db }: Pick<Ctx, "db">, newsletterId: string): Promise<void> {
    const taken = await findExternalIds(db, newsletterId, [...this.#externalIds.keys()]);
    if (taken.size === 0) return;
    this.rows = this.rows.filter(({ line, email, external_id: externalId }) => {
      const subscriber = taken.get(externalId ?? "");
      if (!subscriber) return true;
      const parsed = parseEmail(email);
      if (parsed.ok && parsed.canonical === subscriber.canonical) return true;
      this.rejected.push({ line, text: email, reason: externalIdSentence(subscriber) });
      return false;
    });
  }

  /** @returns why the item is rejected; null when it became a row */
  #read(line: number, value: unknown): string | null {
    const item = ImportItem.safeParse(value);
    if (!item.success) return item.error.issues[0]?.message ?? "The row is not valid.";
    const { email, status, subscribed_at: subscribedAt, external_id: externalId } = item.data;
    const fault = fieldFault(item.data.fields, this.fields);
    if (fault !== null) return fault;
    const earlier = this.#lines.get(email.canonical);
    if (earlier !== undefined) return `The address is also on line ${earlier}, which counts.`;
    const sameId = externalId && this.#externalIds.get(externalId);
    if (sameId) return `The external_id is also on line ${sameId}, which counts.`;
    this.#lines.set(email.canonical, line);
    if (externalId) this.#externalIds.set(externalId, line);
    // Only these members: a plan's row can also have other evidence, which a list in a request does not give.
    const { name, fields, tags } = value as PlanRow;
    this.rows.push({
      line,
      email: email.email,
      ...(name !== undefined && { name }),
      ...(fields !== undefined && { fields }),
      ...(tags !== undefined && { tags }),
      ...(externalId && { external_id: externalId }),
      ...(subscribedAt && { evidence: { optedInAt: subscribedAt.toISOString() } }),
      ...(status === "unsubscribed"
        ? { leaving: { reason: "unsubscribed", at: null } }
        : { status: status ?? this.defaultStatus }),
    });
    return null;
  }
}

/** `people`: a list that is read from JSON already. */
type ListBody = { newsletterId: string; defaultStatus: NewStatus } & (
  | { type: ListType; text: string }
  | { people: unknown[] }
);

/**
 * Reads a list. Items that are not valid, and repeated addresses, are rejected one by one.
 * @returns the list, and its first items for the names of unknown members
 * @throws AppError validation_error for a list that is not JSON or no array, has no email column, is empty or too long,
 * or has no valid row
 */
export async function readList(
  ctx: Pick<Ctx, "db">,
  { newsletterId, defaultStatus, ...body }: ListBody,
): Promise<{ list: ListInput; sample: unknown[] }> {
  const fields = new Map((await listFields(ctx, { newsletterId })).map((field) => [field.key, field]));
  const sorter = new ItemSorter(fields, defaultStatus);
  const sample: unknown[] = [];
  let count = 0;
  const items = "people" in body ? itemsOfArray(body.people) : readers[body.type](body.text, fields);
  const unreadableMessage = "people" in body ? "" : unreadableMessages[body.type];
  for (const item of items) {
    if (++count > maxImportRows)
      throw invalidField(
        "body",
        `One import takes up to ${maxImportRows} people. Split the list into several imports.`,
      );
    if (count % TURN === 0) await setImmediate();
    if (sample.length < TURN) sample.push(item.value);
    sorter.add(item, unreadableMessage);
  }
  await sorter.rejectTakenIds(ctx, newsletterId);
  const { rows, rejected } = sorter;
  if (count === 0) throw invalidField("body", "The list is empty. Send at least one person.");
  if (rows.length === 0)
    throw new AppError("validation_error", "No row of the list is valid, so there is nothing to import.", {
      errors: { body: rejected.slice(0, NAMED).map(({ line, reason }) => `Line ${line}: ${reason}`) },
    });
  return { list: { rows, rejected, fileName: null, statusRule: "list", answers: {} }, sample };
}
