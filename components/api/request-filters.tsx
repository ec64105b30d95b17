"use client";
import { Button } from "@mantine/core";
import { codes } from "@/server/contract/request-log";
import { Choice } from "../ui/choice";
import type { ApiKey } from "./api-key-row";
import styles from "./api-requests.module.css";
import { operationLabels, periods, type RequestLogFilter } from "./request-filter";

const outcomeOptions = [
  { value: "succeeded", label: "Succeeded", note: "2xx" },
  { value: "rejected", label: "Rejected", note: "4xx" },
  { value: "failed", label: "Failed", note: "5xx" },
];
const answerOptions = [
  outcomeOptions,
  codes.map(({ code, statuses }) => ({ value: code, label: code, note: statuses.join(", ") })),
];
const operationOptions = [Object.entries(operationLabels).map(([value, label]) => ({ value, label }))];
const labelOf = (options: readonly { value: string; label: string }[], chosen: string | null) =>
  options.find(({ value }) => value === chosen)?.label;

export function RequestFilters({ keys, filter }: { keys: ApiKey[]; filter: RequestLogFilter }) {
  const { key, operation, answer, within, set } = filter;
  const keyOptions = keys.map(({ id, name, prefix }) => ({ value: id, label: name, note: `${prefix}…` }));
  return (
    <search className={styles.filters} aria-label="Requests">
      <Choice
        label="Key"
        value={key}
        chosen={key && (labelOf(keyOptions, key) ?? "deleted key")}
        options={[keyOptions]}
        onChoose={(value) => set({ key: value })}
      />
      <Choice
        label="Operation"
        value={operation}
        chosen={operation && operationLabels[operation]}
        options={operationOptions}
        onChoose={(value) => set({ operation: value as typeof operation })}
      />
      <Choice
        label="Answer"
        value={answer}
        chosen={answer && (labelOf(outcomeOptions, answer) ?? answer)}
        options={answerOptions}
        onChoose={(value) => set({ answer: value })}
      />
      <Choice
        label="When"
        value={within}
        chosen={labelOf(periods, within)}
        options={[periods]}
        onChoose={(value) => set({ within: value as typeof within })}
      />
      {filter.isSet && (
        <Button variant="subtle" color="gray" onClick={filter.clear}>
          Show all
        </Button>
      )}
    </search>
  );
}
