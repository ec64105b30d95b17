import { writeTags } from "../imports/list-parser/attribute-cells";
import { csvLine } from "../kernel/csv";
import { ConfirmationRecord } from "../mail/schema/confirmation-states";
import { fieldValueOf } from "../subscribers/field-values";
import { listFields } from "../subscribers/fields";
import { includeMembers } from "../subscribers/include-members";
import type { Include } from "../subscribers/schema/fields";
import {
  defaultOrder,
  ListQuery,
  lastPage,
  pageBounds,
  sorts,
  writeListCursor,
} from "../subscribers/schema/list-query";
import type { SubscriberRecord } from "../subscribers/schema/subscriber";
import { textNames } from "../subscribers/schema/subscriber-texts";
import {
  listSubscribers as listPage,
  resolveListQuery,
  streamSubscribers,
} from "../subscribers/subscriber-lists";
import { type Answer, success } from "./envelope";
import { type RestContext, readQuery, rejectQuery } from "./read-request";
import type { StreamFormat } from "./schema/operation";
import { rejectPaging, streamAnswer, streamFormat } from "./stream";

type Matching = Parameters<typeof streamSubscribers>[1];

/** Writes records in a format. `head`: the text before the first record. */
type Writer = { head: string; write(records: SubscriberRecord[]): string };

const ndjson: Writer = {
  head: "",
  write: (records) => records.map((record) => `${JSON.stringify(record)}\n`).join(""),
};

const columns = ["id", ...textNames, "status", "created_at"] as const;
const confirmationColumns = ConfirmationRecord.keyof().options;

/** The columns of exported files for the same data, so that imports can read the lines. */
async function csvWriter({ ctx, of }: RestContext, include: Include | undefined): Promise<Writer> {
  const keys = include?.fields ? (await listFields(ctx, of)).map(({ key }) => key) : [];
  const tags = include?.tags ? ["tags"] : [];
  const origins = (["subscribed_at", "external_id"] as const).filter((name) => include?.[name]);
  const confirmation = include?.confirmation ? confirmationColumns : [];
  const cellsOf = (record: SubscriberRecord) => [
    ...columns.map((column) => record[column] ?? ""),
    ...keys.map((key) => String(fieldValueOf(record.fields ?? {}, key) ?? "")),
    ...tags.map(() => writeTags(record.tags ?? [])),
    ...origins.map((name) => record[name] ?? ""),
    ...confirmation.map((column) => record.confirmation?.[column] ?? ""),
  ];
  return {
    head: csvLine([
      ...columns,
      ...keys.map((key) => `fields.${key}`),
      ...tags,
      ...origins,
      ...confirmation.map((column) => `confirmation.${column}`),
    ]),
    write: (records) => records.map((record) => csvLine(cellsOf(record))).join(""),
  };
}

/** Answers with all matching subscribers as of one moment. */
function streamList(context: RestContext, format: StreamFormat, matching: Matching): Promise<Answer> {
  return streamAnswer(context, { format }, async (send) => {
    const writer = format === "csv" ? await csvWriter(context, matching.include) : ndjson;
    let { head } = writer;
    await streamSubscribers(context.ctx, matching, async (records) => {
      await send(head + writer.write(records));
      head = "";
    });
    if (head !== "") await send(head);
  });
}

export async function answerSubscriberList(context: RestContext): Promise<Answer> {
  const { ctx, url, of, request } = context;
  const format = streamFormat(request);
  if (format) rejectPaging(url);
  const query = readQuery(ListQuery, url);
  const { sort, limit = pageBounds.default, cursor, page, include } = query;
  const order = sort === undefined ? defaultOrder : sorts[sort];
  const filter = await resolveListQuery(ctx, { ...of, query }).catch(rejectQuery);
  if (format) return streamList(context, format, { filter, order, include });
  const position = cursor ?? (page !== undefined ? { page } : null);
  const { items: records, total, next } = await listPage(ctx, { filter, order, limit, position });
  const pagination = { limit, total, next_cursor: next && writeListCursor(order, next) };
  const numbered = page === undefined ? {} : { page, pages: Math.min(Math.ceil(total / limit), lastPage) };
  const shown = await includeMembers(ctx, { ...of, records, include });
  return success(200, shown, { pagination: { ...pagination, ...numbered } });
}
