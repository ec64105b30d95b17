import { z } from "zod";
import { maxImportRows } from "../../imports/schema/import-counts";
import {
  CommitBody,
  ImportItem,
  ImportQuery,
  ImportResource,
  ImportRowRecord,
  ImportRowsQuery,
  listTypes,
  maxListBytes,
  UndoQuery,
} from "../../imports/schema/import-records";
import { importUndoDays } from "../../kernel/durations";
import { ActivityPagination } from "../../subscribers/schema/activities";
import type { Operation } from "./operation";

const path = "/api/v1/imports";
const people = maxImportRows.toLocaleString("en");

export const importOperations = {
  createImport: {
    method: "POST",
    path,
    summary: "Plan an import",
    description: `Compares a list of up to ${people} people with the newsletter, without changing anything. Commit the plan to add the new people. Send JSON, NDJSON or CSV of at most ${maxListBytes / 1024 / 1024} MiB. The first line of a CSV list names its columns: email, name, status, tags and fields.KEY, as in an export. Rows that are not valid are rejected one by one.`,
    permission: "imports",
    policy: "stream",
    query: ImportQuery,
    body: z.array(ImportItem).min(1).max(maxImportRows),
    bodyTypes: listTypes.slice(1),
    answers: [{ status: 202, data: ImportResource }],
  },
  getImport: {
    method: "GET",
    path: `${path}/{id}`,
    summary: "Get an import",
    description: "Returns the state, the progress and the result of an import or a plan.",
    permission: "imports",
    answers: [{ status: 200, data: ImportResource }],
  },
  listImportRows: {
    method: "GET",
    path: `${path}/{id}/rows`,
    summary: "List the rows of an import",
    description:
      "Returns the result of each row, in the order of the list. Valid rows are kept until the import has ended, and rejected ones for 30 days. Follow `pagination.next_cursor` until it is null.",
    permission: "imports",
    query: ImportRowsQuery,
    answers: [{ status: 200, data: z.array(ImportRowRecord), pagination: ActivityPagination }],
  },
  commitImport: {
    method: "POST",
    path: `${path}/{id}/commit`,
    summary: "Commit an import",
    description:
      "Starts the import: everybody in the plan is added, or nobody. Get the import until its state is no longer running. A repeated commit changes nothing and returns the import.",
    permission: "imports",
    body: CommitBody,
    answers: [{ status: 202, data: ImportResource }],
  },
  undoImport: {
    method: "POST",
    path: `${path}/{id}/undo`,
    summary: "Undo an import",
    description: `Removes the people that the import added, except those who have changed since. Possible for ${importUndoDays} days. Takes no body.`,
    permission: "imports",
    query: UndoQuery,
    answers: [{ status: 202, data: ImportResource }],
    rejects: ["validation_error"],
  },
  deleteImport: {
    method: "DELETE",
    path: `${path}/{id}`,
    summary: "Cancel an import",
    description: "Deletes a plan, or cancels a running import. No people are added.",
    permission: "imports",
    answers: [{ status: 200, data: ImportResource }],
    rejects: ["validation_error"],
  },
} as const satisfies Record<string, Operation>;
