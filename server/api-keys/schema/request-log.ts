import { malformedStatus, restStatuses } from "../../kernel/error-codes";
import type { OperationId } from "../../rest/schema/operations";

/** Operations in the request log: those that need a key. */
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
  "listSegments",
  "listSuppressions",
  "createSuppressions",
  "deleteSuppression",
  "getMe",
] as const satisfies readonly OperationId[];
export type LoggedOperation = (typeof loggedOperations)[number];

export const outcomes = ["succeeded", "rejected", "failed"] as const;
export type RequestOutcome = (typeof outcomes)[number];

export function outcomeOf(status: number): RequestOutcome {
  return status >= 500 ? "failed" : status >= 400 ? "rejected" : "succeeded";
}

/** An answer: its status, and its code or "" where it has none. */
export type RequestAnswer = { status: number; code: string };

/** Every answer that a key can get, each once. */
const answers: RequestAnswer[] = [
  { status: 200, code: "" },
  { status: 201, code: "" },
  { status: malformedStatus, code: "validation_error" },
  ...Object.entries(restStatuses).map(([code, status]) => ({ status, code })),
];

/** The answers that an outcome, a status such as "422" or a code stands for; none for any other word. */
export function answersThat(word: string): RequestAnswer[] {
  return answers.filter(
    ({ status, code }) =>
      word === outcomeOf(status) || word === String(status) || (word !== "" && word === code),
  );
}

/** The codes that the log can be filtered by, with the statuses they come with. */
export const codes: { code: string; statuses: number[] }[] = [
  ...new Set(answers.flatMap(({ code }) => code || [])),
].map((code) => ({ code, statuses: answersThat(code).map(({ status }) => status) }));

/** Rejections with these statuses do not count towards the lockout of a key. */
export const uncountedStatuses: readonly number[] = [401, 403, 429];
