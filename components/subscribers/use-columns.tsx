import { useLocalStorage } from "@mantine/hooks";
import { type ReactNode, useMemo } from "react";
import { useTranslations } from "use-intl";
import { fieldValueOf } from "@/server/subscribers/field-values";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { type Field, Tags, useFieldText } from "./attribute-text";
import { columns, defaultColumns, type Person, useShowField } from "./person-fields";

/** A column of the list beside the email. A field's column is `fields.KEY`. */
export type Column = {
  name: string;
  word: string;
  show(person: Person): ReactNode;
};

/** All columns beside the email, including the newsletter's fields. */
function useAllColumns(fields: Field[]): Column[] {
  const t = useTranslations("people");
  const fieldText = useFieldText();
  const showField = useShowField();
  return useMemo(() => {
    const textOfField = (field: Field, person: Person) => {
      const value = fieldValueOf(person.fields, field.key);
      return value === undefined ? null : fieldText(field, value);
    };
    return [
      ...columns.map((name) => ({
        name,
        word: t(`field.${name}`),
        show: (person: Person) => showField(name, person),
      })),
      { name: "tags", word: t("field.tags"), show: ({ tags }) => <Tags tags={tags} /> },
      ...fields.map((field) => ({
        name: `fields.${field.key}`,
        word: field.label,
        show: (person: Person) => textOfField(field, person),
      })),
    ];
  }, [fields, t, fieldText, showField]);
}

const NO_FIELDS: Field[] = [];

/**
 * The list's columns in order, all available columns, and the newsletter's fields. The address's columns come first,
 * then the columns that this browser stored for the newsletter.
 */
export function useColumns(inAddress: string[] | null) {
  const { newsletterId } = useViewer();
  const { data, isPending } = api.fields.list.useQuery({ newsletterId });
  const fields = data ?? NO_FIELDS;
  const [stored, remember] = useLocalStorage<string[]>({
    key: `rollcall-columns-${newsletterId}`,
    defaultValue: defaultColumns,
    // The server doesn't render the table. The first render must use the stored columns, so they don't change later.
    getInitialValueInEffect: false,
  });
  // A manual edit may have stored anything.
  const names = inAddress ?? (Array.isArray(stored) ? stored : defaultColumns);
  const all = useAllColumns(fields);
  const chosen = useMemo(
    () => [...new Set(names)].flatMap((name) => all.find((column) => column.name === name) ?? []),
    [names, all],
  );
  return { all, chosen, remember, fields, isPending };
}
