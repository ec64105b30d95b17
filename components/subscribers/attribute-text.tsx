import { useCallback } from "react";
import { useLocale, useTranslations } from "use-intl";
import { type FieldValue, fieldValueOf } from "@/server/subscribers/field-values";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import styles from "./people.module.css";
import { formatDay } from "./span";

export type Field = Outputs["fields"]["list"][number];

const NO_FIELDS: Field[] = [];

/** The newsletter's fields; none while `isPending`. */
export function useFields(): { fields: Field[]; isPending: boolean } {
  const { newsletterId } = useViewer();
  const { data: fields = NO_FIELDS, isPending } = api.fields.list.useQuery({ newsletterId });
  return { fields, isPending };
}

/** The newsletter's tags; none while they load. */
export function useTagNames(): string[] {
  const { newsletterId } = useViewer();
  return api.tags.names.useQuery({ newsletterId }).data ?? [];
}

/** Formats a field's value for display. Activities store each value as text. */
export function useFieldText(): (field: Pick<Field, "type">, value: FieldValue) => string {
  const t = useTranslations("people.value");
  const language = useLocale();
  return useCallback(
    ({ type }, value) => {
      if (type === "boolean") return String(value) === "true" ? t("yes") : t("no");
      return type === "date" && value !== "" ? formatDay(String(value), language) : String(value);
    },
    [t, language],
  );
}

type WithFields = { fields: Record<string, FieldValue> };

/** Formats a person's value of a field; null without a value. */
export function useValueText(): (person: WithFields, field: Field) => string | null {
  const fieldText = useFieldText();
  return useCallback(
    ({ fields }, field) => {
      const value = fieldValueOf(fields, field.key);
      return value === undefined ? null : fieldText(field, value);
    },
    [fieldText],
  );
}

export const TagList = ({ tags }: { tags: string[] }) =>
  tags.map((tag) => (
    <span key={tag} className={styles.tag}>
      {tag}
    </span>
  ));

/** Converts a typed value for the server. An invalid number is sent unchanged, and the server rejects it. */
export function sentValue({ type }: Pick<Field, "type">, typed: string): FieldValue | null {
  const text = typed.trim();
  if (text === "") return null;
  if (type === "boolean") return text === "true";
  const number = Number(text);
  return type === "number" && !Number.isNaN(number) ? number : text;
}

/** Parses "key:value" pairs of the page's address, by key. */
export const typedFilter = (pairs: string[]): Record<string, string> =>
  Object.fromEntries(
    pairs.map((pair) => {
      const [key = "", ...rest] = pair.split(":");
      return [key, rest.join(":")];
    }),
  );
