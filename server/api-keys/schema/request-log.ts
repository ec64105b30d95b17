import { malformedStatus, restStatuses } from "../../kernel/error-codes";
import { type ToolName, toolNames } from "../../mcp/schema/tool-names";
import type { OperationId } from "../../rest/schema/operations";

/** The operations in the request log: all that need a key, and the tools of MCP. */
export const loggedOperations = [
  "createSubscriber",
  "createSubscribers",
  "listSubscribers",
  "getSubscriber",
  "listActivity",
  "listChanges",
  "updateSubscriber",
  "deleteSubscriber",
  "askSubscriber",
  "linkSubscriber",
  "linkSubscribers",
  "listFields",
  "createField",
  "updateField",
  "deleteField",
  "listTags",
  "updateTag",
  "deleteTag",
  "listSegments",
  "createImport",
  "getImport",
  "listImportRows",
  "commitImport",
  "undoImport",
  "deleteImport",
  "getStats",
  "listSuppressions",
  "createSuppressions",
  "deleteSuppression",
  "listWebhooks",
  "createWebhook",
  "getWebhook",
  "updateWebhook",
  "deleteWebhook",
  "testWebhook",
  "rotateWebhookSecret",
  "listWebhookMessages",
  "retryWebhookMessage",
  "listNewsletters",
  "getMe",
  ...toolNames,
] as const satisfies readonly (OperationId | ToolName)[];
export type LoggedOperation = (typeof loggedOperations)[number];

/** How long a request stays in the log. */
export const requestsKeptDays = 30;

export const outcomes = ["succeeded", "rejected", "failed"] as const;
type RequestOutcome = (typeof outcomes)[number];

export function outcomeOf(status: number): RequestOutcome {
  return status >= 500 ? "failed" : status >= 400 ? "rejected" : "succeeded";
}

/** An answer's status and code. The code is "" for a success. */
export type RequestAnswer = { status: number; code: string };

/** Every possible answer to a request with a key. */
const answers: RequestAnswer[] = [
  { status: 200, code: "" },
  { status: 201, code: "" },
  { status: 202, code: "" },
  { status: malformedStatus, code: "validation_error" },
  ...Object.entries(restStatuses).map(([code, status]) => ({ status, code })),
];

/** Returns the answers that match an outcome, a status such as "422" or a code; empty for any other word. */
export function answersMatching(word: string): RequestAnswer[] {
  return answers.filter(
    ({ status, code }) =>
      word === outcomeOf(status) || word === String(status) || (word !== "" && word === code),
  );
}

/** The codes that the log can be filtered by, each with its statuses. */
export const codes: { code: string; statuses: number[] }[] = [
  ...new Set(answers.flatMap(({ code }) => code || [])),
].map((code) => ({ code, statuses: answersMatching(code).map(({ status }) => status) }));

/** Rejections with these statuses do not count towards the lockout of a key. */
export const uncountedStatuses: readonly number[] = [401, 403, 429];
