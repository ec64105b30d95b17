import type { FieldValue } from "@/server/domain/fields";
import type { Outputs } from "../trpc";
import styles from "./people.module.css";
import { formatDay } from "./span";

/** A custom field of the newsletter. */
export type Field = Outputs["fields"]["list"][number];

/** A value as people read it; an activity has each as a text. */
export function fieldText({ type }: Pick<Field, "type">, value: FieldValue): string {
  if (type === "boolean") return String(value) === "true" ? "Yes" : "No";
  return type === "date" && value !== "" ? formatDay(String(value)) : String(value);
}

export const Tags = ({ tags }: { tags: string[] }) =>
  tags.map((tag) => (
    <span key={tag} className={styles.tag}>
      {tag}
    </span>
  ));
