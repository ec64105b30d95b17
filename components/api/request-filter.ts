"use client";
import { createParser, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useMemo } from "react";
import { answersThat, type LoggedOperation, loggedOperations } from "@/server/contract/request-log";
import { parseAsId } from "../ui/parse-as-id";

/** What an operation is called on the screen. */
export const operationLabels: Record<LoggedOperation, string> = {
  createSubscriber: "Add a person",
  createSubscribers: "Add people in bulk",
  listSubscribers: "List people",
  getSubscriber: "Read a person",
  listActivity: "Read a person’s activity",
  listChanges: "List changes",
  updateSubscriber: "Change a person",
  deleteSubscriber: "Unsubscribe or erase a person",
  askSubscriber: "Resend a confirmation",
  linkSubscriber: "Get a person’s links",
  linkSubscribers: "Get links in bulk",
  listFields: "List fields",
  createField: "Define a field",
  updateField: "Change a field",
  deleteField: "Delete a field",
  listSegments: "List segments",
  listSuppressions: "List suppressions",
  createSuppressions: "Suppress addresses",
  deleteSuppression: "Lift a suppression",
  getMe: "Test the key",
};

export const periods = [
  { value: "1h", minutes: 60, label: "Last hour" },
  { value: "24h", minutes: 1440, label: "Last 24 hours" },
  { value: "7d", minutes: 10_080, label: "Last 7 days" },
] as const;

const parsers = {
  key: parseAsId,
  operation: parseAsStringLiteral(loggedOperations),
  /** An outcome, a status or a code. */
  answer: createParser<string>({
    parse: (text) => (answersThat(text).length > 0 ? text : null),
    serialize: (answer) => answer,
  }),
  within: parseAsStringLiteral(periods.map(({ value }) => value)),
};

/** The request log's filter, kept in the page's address. */
export function useRequestFilter() {
  const [{ key, operation, answer, within }, set] = useQueryStates(parsers, { history: "replace" });
  const view = useMemo(() => {
    const minutes = periods.find(({ value }) => value === within)?.minutes;
    return {
      ...(key && { keyId: key }),
      ...(operation && { operation }),
      ...(answer && { answer }),
      ...(minutes && { withinMinutes: minutes }),
    };
  }, [key, operation, answer, within]);
  const isSet = Object.keys(view).length > 0;
  return { key, operation, answer, within, view, isSet, set, clear: () => set(null) };
}

export type RequestLogFilter = ReturnType<typeof useRequestFilter>;
