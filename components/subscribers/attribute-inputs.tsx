import {
  MultiSelect,
  type MultiSelectProps,
  NativeSelect,
  TagsInput,
  type TagsInputProps,
  TextInput,
} from "@mantine/core";
import { type ChangeEvent, useState } from "react";
import { useTranslations } from "use-intl";
import { type FieldValue, fieldValueOf } from "@/server/subscribers/field-values";
import { type Field, sentValue, useFields, useTagNames } from "./attribute-text";

/** Attributes as typed: each value is a text, by key. */
type TypedAttributes = { fields: Record<string, string>; tags: string[] };
type Attributes = { fields: Record<string, FieldValue>; tags: string[] };

export const typedAttributes = (fields: Field[], person?: Attributes): TypedAttributes => ({
  fields: Object.fromEntries(
    fields.map(({ key }) => [key, String((person && fieldValueOf(person.fields, key)) ?? "")]),
  ),
  tags: person?.tags ?? [],
});

/** Returns the changed attributes as a patch. */
export function changedAttributes(fields: Field[], before: TypedAttributes, after: TypedAttributes) {
  const typed = ({ fields: values }: TypedAttributes, { key }: Field) => values[key] ?? "";
  const changed = fields.filter((field) => typed(before, field) !== typed(after, field));
  return {
    ...(changed.length > 0 && {
      fields: Object.fromEntries(changed.map((field) => [field.key, sentValue(field, typed(after, field))])),
    }),
    ...(before.tags.join("\n") !== after.tags.join("\n") && { tags: after.tags }),
  };
}

type Props = { form: { getInputProps(path: string): object; values: TypedAttributes } };

/** Inputs for the newsletter's fields, by type, and for tags. */
export function AttributeInputs({ form }: Props) {
  const { fields } = useFields();
  return (
    <>
      {fields.map((field) => (
        <FieldInput
          key={field.key}
          field={field}
          {...form.getInputProps(`fields.${field.key}`)}
          // The form has no value for a field that arrived after it opened.
          value={form.values.fields[field.key] ?? ""}
        />
      ))}
      <TagInput {...form.getInputProps("tags")} />
    </>
  );
}

/** An input for tags. Suggestions appear only during typing, so their list never covers other inputs. */
export function TagInput(props: Omit<TagsInputProps, "data">) {
  const t = useTranslations("people");
  const tags = useTagNames();
  const [typed, setTyped] = useState("");
  return (
    <TagsInput
      data={tags}
      label={t("field.tags")}
      description={t("value.tagsHint")}
      limit={20}
      searchValue={typed}
      onSearchChange={setTyped}
      dropdownOpened={typed.trim() !== ""}
      {...props}
    />
  );
}

/** Chooses from the newsletter's tags. A chosen tag is listed even if the newsletter no longer has it. */
export function TagSelect(props: Omit<MultiSelectProps, "data">) {
  const t = useTranslations("people.filters");
  const tags = useTagNames();
  return (
    <MultiSelect
      data={[...new Set([...tags, ...(props.value ?? [])])]}
      limit={20}
      searchable
      nothingFoundMessage={t("noSuchTag")}
      {...props}
    />
  );
}

type FieldInputProps = {
  field: Field;
  value: string;
  /** The label for "no value", for types with a list. */
  none?: string;
  error?: boolean;
  "aria-label"?: string;
  onChange?(event: ChangeEvent<HTMLInputElement | HTMLSelectElement>): void;
};

/** The input for a field's value, as text. `rest` holds the form's input props. */
export function FieldInput({ field, value, none, ...rest }: FieldInputProps) {
  const t = useTranslations("people.value");
  const { label, type, choices } = field;
  const props = { label, value, ...rest };
  switch (type) {
    case "boolean": {
      const data = [
        { value: "", label: none ?? t("notKnown") },
        { value: "true", label: t("yes") },
        { value: "false", label: t("no") },
      ];
      return <NativeSelect data={data} {...props} />;
    }
    case "choice": {
      // A subscriber may have a value that is no longer an option.
      const offered = [...new Set([...choices, value])].filter((choice) => choice !== "");
      return <NativeSelect data={[{ value: "", label: none ?? t("none") }, ...offered]} {...props} />;
    }
    case "date":
      return <TextInput type="date" {...props} />;
    case "number":
      return <TextInput inputMode="decimal" autoComplete="off" {...props} />;
    case "text":
      return <TextInput autoComplete="off" {...props} />;
  }
}
