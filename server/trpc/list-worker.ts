// The thread that reads lists: JSON, validation and the columns of their rows, which would hold up everybody else's requests.
import { parentPort } from "node:worker_threads";
import type { ErrorCode } from "../contract/error-codes";
import { malformed, toAppError } from "../errors";
import { type ListPart, readPlan } from "../services/import-list";
import { plainInput } from "./plain-input";

/** A plan's request as it came. Its buffer is transferred. */
export type ListJob = { id: number; bytes: Uint8Array };

export type ListAnswer = { id: number } /** What the request says beside the plan; the first answer. */ & (
  | { request: object }
  | { part: ListPart }
  | { over: true }
  | { error: ListFault }
);

/** An `AppError` without its class, which does not cross. `detail`: of what was not expected, for the log. */
export type ListFault = {
  code: ErrorCode;
  message: string;
  status: number;
  errors: Record<string, string[]> | undefined;
  detail: string | undefined;
};

const port = parentPort;
if (!port) throw new Error("this module is a thread of its own");

const answer = (message: ListAnswer) => port.postMessage(message);

function parse(bytes: Uint8Array): { plan: unknown } & object {
  let sent: unknown;
  try {
    sent = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw malformed("The list did not arrive completely. Nothing was stored. Check the list again.");
  }
  return { plan: undefined, ...Object(plainInput(sent)) };
}

port.on("message", ({ id, bytes }: ListJob) => {
  try {
    const { plan, ...request } = parse(bytes);
    answer({ id, request });
    for (const part of readPlan(plan)) answer({ id, part });
    answer({ id, over: true });
  } catch (thrown) {
    const { code, message, status, errors, cause } = toAppError(thrown);
    const detail = cause instanceof Error ? cause.stack : undefined;
    answer({ id, error: { code, message, status, errors, detail } });
  }
});
