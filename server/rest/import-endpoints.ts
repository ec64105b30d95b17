import { getImportResource, listImportRows as listRows } from "../imports/import-records";
import { beginImport, cancelImport as cancel } from "../imports/imports";
import { planImport } from "../imports/plan";
import {
  CommitBody,
  ImportQuery,
  ImportRowsQuery,
  listTypes,
  maxListBytes,
  UndoQuery,
  writeRowCursor,
} from "../imports/schema/import-records";
import { undoImport as undo } from "../imports/undo";
import { AppError, invalidField, parse } from "../kernel/errors";
import { readText } from "../platform/http/request-body";
import { pageBounds } from "../subscribers/schema/list-query";
import { type Answer, ignoredFieldsHeader, success } from "./envelope";
import { type ListType, readList } from "./read-list";
import { ignoredFields, type RestContext, readBody, readQuery } from "./read-request";

const importOf = (context: RestContext) => ({ ...context.of, importId: context.id });

const answerImport = async (context: RestContext, status: number, importId = context.id): Promise<Answer> =>
  success(status, await getImportResource(context.ctx, { ...context.of, importId }));

/** @throws AppError unsupported_media_type */
function listTypeOf(request: Request): ListType {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  const known = type === "" ? "application/json" : listTypes.find((one) => one === type);
  if (known) return known;
  const message = `Send the list as ${listTypes.join(", ")}, and name the type in Content-Type.`;
  throw new AppError("unsupported_media_type", message);
}

async function createImport(context: RestContext): Promise<Answer> {
  const { app, ctx, request, url, operation, headers } = context;
  const type = listTypeOf(request);
  const { default_status: defaultStatus } = readQuery(ImportQuery, url);
  const { newsletterId } = context.of;
  // A list takes much memory, so few are read at once.
  const importId = await app.streams(async () => {
    const text = await readText(request, maxListBytes);
    const { list, sample } = await readList(ctx, { newsletterId, type, text, defaultStatus });
    if (operation.body) Object.assign(headers, ignoredFieldsHeader(ignoredFields(operation.body, sample)));
    return (await planImport(ctx, { newsletterId, list })).importId;
  });
  return answerImport(context, 202, importId);
}

async function listImportRows(context: RestContext): Promise<Answer> {
  const { ctx, url } = context;
  const { result = null, limit = pageBounds.default, cursor = null } = readQuery(ImportRowsQuery, url);
  const { items, next } = await listRows(ctx, { ...importOf(context), result, limit, after: cursor });
  return success(200, items, { pagination: { limit, next_cursor: next && writeRowCursor(next) } });
}

async function commitImport(context: RestContext): Promise<Answer> {
  const value = await readBody(context);
  const { digest, consent = null } = parse(CommitBody, value);
  const stated = consent && { ...consent, wording: consent.wording ?? "" };
  await beginImport(context.ctx, { ...importOf(context), digest, consent: stated });
  return answerImport(context, 202);
}

async function undoImport(context: RestContext): Promise<Answer> {
  const { remove_opt_outs: removeOptOuts } = readQuery(UndoQuery, context.url);
  await undo(context.ctx, { ...importOf(context), removeOptOuts: removeOptOuts === "true" });
  return answerImport(context, 202);
}

async function deleteImport(context: RestContext): Promise<Answer> {
  const of = importOf(context);
  const record = await getImportResource(context.ctx, of);
  const { state } = await cancel(context.ctx, of);
  if (state === "cancelled") return success(200, { ...record, state });
  const advice = state === "done" ? ` POST /api/v1/imports/${of.importId}/undo removes its people.` : "";
  throw invalidField("import", `The import is ${state}, so it can't be cancelled.${advice}`);
}

export const importEndpoints = {
  createImport,
  getImport: (context: RestContext) => answerImport(context, 200),
  listImportRows,
  commitImport,
  undoImport,
  deleteImport,
};
