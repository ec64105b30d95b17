"use client";
import { createParser, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useMemo } from "react";
import { answersMatching, loggedOperations } from "@/server/api-keys/schema/request-log";
import { parseAsId } from "../ui/parse-as-id";

/** Periods that end now. */
export const periods = [
  { value: "1h", minutes: 60 },
  { value: "24h", minutes: 1440 },
  { value: "7d", minutes: 10_080 },
] as const;

const parsers = {
  key: parseAsId,
  operation: parseAsStringLiteral(loggedOperations),
  /** An outcome, a status or a code. */
  answer: createParser<string>({
    parse: (text) => (answersMatching(text).length > 0 ? text : null),
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
