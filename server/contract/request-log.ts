import { faults } from "./error-codes";
import type { OperationId } from "./operations";

/** Operations that the request log keeps: those that a key is needed for. */
export const loggedOperations = [
  "createSubscriber",
  "createSubscribers",
  "listSubscribers",
  "getSubscriber",
  "updateSubscriber",
  "deleteSubscriber",
  "getMe",
] as const satisfies readonly OperationId[];
export type LoggedOperation = (typeof loggedOperations)[number];

/** What a request can come to, in three words. */
export const outcomes = ["succeeded", "rejected", "failed"] as const;
export type Outcome = (typeof outcomes)[number];

const { request_timeout: _late, headers_too_large: _large, ...known } = faults;

/** Every answer that a key is given: a status, and a code where it is a rejection. */
const answers: { status: number; code: string }[] = [
  { status: 200, code: "" },
  { status: 201, code: "" },
  // Before its headers are read a request is nobody's, so it is in no log.
  ...new Map(
    Object.values(known).map(({ status, code }) => [`${status} ${code}`, { status, code }]),
  ).values(),
];

/** Which of the three a status is. */
export function outcomeOf(status: number): Outcome {
  return status >= 500 ? "failed" : status >= 400 ? "rejected" : "succeeded";
}

/**
 * The answers that a word stands for: an outcome, a status such as "422", or a code.
 * @returns none when it is no such word
 */
export function answersThat(word: string): { status: number; code: string }[] {
  return answers.filter(
    ({ status, code }) =>
      word === outcomeOf(status) || word === String(status) || (word !== "" && word === code),
  );
}

/** The codes by which a log can be narrowed, with the statuses they come with. */
export const codes: { code: string; statuses: number[] }[] = [
  ...new Set(answers.flatMap(({ code }) => code || [])),
].map((code) => ({ code, statuses: answersThat(code).map(({ status }) => status) }));
