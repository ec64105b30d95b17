"use client";
import { createParser, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useMemo } from "react";
import { answersThat, type LoggedOperation, loggedOperations } from "@/server/contract/request-log";

/** What an operation is called on the screen. */
export const operationWords: Record<LoggedOperation, string> = {
  createSubscriber: "Add a person",
  createSubscribers: "Add many people",
  listSubscribers: "List people",
  getSubscriber: "Read a person",
  updateSubscriber: "Change a person",
  deleteSubscriber: "Unsubscribe a person",
  getMe: "Test the key",
};

export const spans = [
  { value: "1h", minutes: 60, label: "Last hour" },
  { value: "24h", minutes: 1440, label: "Last 24 hours" },
  { value: "7d", minutes: 10_080, label: "Last 7 days" },
] as const;
const spanValues = spans.map(({ value }) => value);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const parsers = {
  key: createParser<string>({ parse: (text) => (UUID.test(text) ? text : null), serialize: (id) => id }),
  operation: parseAsStringLiteral(loggedOperations),
  /** An outcome, a status or a code. */
  answer: createParser<string>({
    parse: (text) => (answersThat(text).length > 0 ? text : null),
    serialize: (word) => word,
  }),
  within: parseAsStringLiteral(spanValues),
};

/** What narrows the request log, as the address bar has it. */
export function useRequestView() {
  const [{ key, operation, answer, within }, show] = useQueryStates(parsers, { history: "replace" });
  const view = useMemo(() => {
    const minutes = spans.find(({ value }) => value === within)?.minutes;
    return {
      ...(key && { keyId: key }),
      ...(operation && { operation }),
      ...(answer && { answer }),
      ...(minutes && { withinMinutes: minutes }),
    };
  }, [key, operation, answer, within]);
  return {
    key,
    operation,
    answer,
    within,
    view,
    narrowed: Object.keys(view).length > 0,
    show,
    clear: () => show({ key: null, operation: null, answer: null, within: null }),
  };
}

export type RequestLogView = ReturnType<typeof useRequestView>;
