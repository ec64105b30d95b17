import { useCallback } from "react";
import { useLocale, useTranslations } from "use-intl";
import type { FieldValue } from "@/server/subscribers/field-values";
import type { Outputs } from "../trpc";
import styles from "./people.module.css";
import { formatDay } from "./span";

/** A custom field of the newsletter. */
export type Field = Outputs["fields"]["list"][number];

/** Writes values as people read them; an activity has each as a text. */
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

export const Tags = ({ tags }: { tags: string[] }) =>
  tags.map((tag) => (
    <span key={tag} className={styles.tag}>
      {tag}
    </span>
  ));

/** A typed value as the server takes it; what is no number is sent as it is, and rejected there. */
export function sentValue({ type }: Pick<Field, "type">, typed: string): FieldValue | null {
  const text = typed.trim();
  if (text === "") return null;
  if (type === "boolean") return text === "true";
  const number = Number(text);
  return type === "number" && !Number.isNaN(number) ? number : text;
}

/** What the address has as "key:value", by key. */
export const typedFilter = (pairs: string[]): Record<string, string> =>
  Object.fromEntries(
    pairs.map((pair) => {
      const [key = "", ...rest] = pair.split(":");
      return [key, rest.join(":")];
    }),
  );

/** The same as the server takes it. */
export const readFieldFilter = (pairs: string[], fields: Field[]): Record<string, FieldValue> =>
  Object.fromEntries(
    Object.entries(typedFilter(pairs)).map(([key, typed]) => {
      const field = fields.find((one) => one.key === key);
      return [key, (field && sentValue(field, typed)) ?? typed];
    }),
  );
