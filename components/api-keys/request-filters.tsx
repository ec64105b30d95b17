"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "use-intl";
import { codes, loggedOperations, outcomes } from "@/server/api-keys/schema/request-log";
import { Choice } from "../ui/choice";
import type { ApiKey } from "./api-key-row";
import styles from "./api-requests.module.css";
import { periods, type RequestLogFilter } from "./request-filter";

const outcomeNotes = { succeeded: "2xx", rejected: "4xx", failed: "5xx" };
const codeOptions = codes.map(({ code, statuses }) => ({
  value: code,
  label: code,
  note: statuses.join(", "),
}));

export function RequestFilters({ keys, filter }: { keys: ApiKey[]; filter: RequestLogFilter }) {
  const t = useTranslations("api.requests");
  const tApi = useTranslations("api");
  const { key, operation, answer, within, set } = filter;
  const keyOptions = keys.map(({ id, name, prefix }) => ({ value: id, label: name, note: `${prefix}…` }));
  const operationOptions = loggedOperations.map((value) => ({ value, label: tApi(`operations.${value}`) }));
  const outcomeOptions = outcomes.map((value) => ({
    value,
    label: t(`outcomes.${value}`),
    note: outcomeNotes[value],
  }));
  const periodOptions = periods.map(({ value }) => ({ value, label: t(`periods.${value}`) }));
  return (
    <search className={styles.filters} aria-label={t("title")}>
      <Choice
        label={t("filters.key")}
        value={key}
        chosen={key && !keys.some(({ id }) => id === key) ? t("filters.deletedKey") : null}
        options={[keyOptions]}
        onChoose={(value) => set({ key: value })}
      />
      <Choice
        label={t("filters.operation")}
        value={operation}
        options={[operationOptions]}
        onChoose={(value) => set({ operation: value as typeof operation })}
      />
      <Choice
        label={t("filters.answer")}
        value={answer}
        options={[outcomeOptions, codeOptions]}
        onChoose={(value) => set({ answer: value })}
      />
      <Choice
        label={t("filters.within")}
        value={within}
        options={[periodOptions]}
        onChoose={(value) => set({ within: value as typeof within })}
      />
      {filter.isSet && (
        <Button variant="subtle" color="gray" onClick={filter.clear}>
          {t("showAll")}
        </Button>
      )}
    </search>
  );
}
