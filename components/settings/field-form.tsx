import { Checkbox, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useTranslations } from "use-intl";
import { foldAccents } from "@/server/imports/list-parser/plain-words";
import { type FieldType, fieldTypes } from "@/server/subscribers/field-values";
import { useViewer } from "../shell/viewer";
import { code } from "../texts/code";
import { api, type Outputs } from "../trpc";
import { FormDialog, useServerForm } from "../ui/form";
import kit from "../ui/kit.module.css";
import { notify } from "../ui/notify";

/** A key such as "company_size" for "Company size"; empty if the label has no usable characters. */
const keyFor = (label: string) =>
  foldAccents(label)
    .replaceAll("ß", "ss")
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[^a-z]+/, "")
    .slice(0, 64)
    .replace(/_+$/, "");

const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

type Props = {
  field: Outputs["fields"]["list"][number] | null;
  /** Initial values of a new field. */
  begin?: { label: string; type: FieldType };
  onDefined?(key: string): void;
  onClose(): void;
};

/** Creates or changes a field. An existing field keeps its key and type. */
export default function FieldForm({ field, begin, onDefined, onClose }: Props) {
  const t = useTranslations("settings.fields.form");
  const typeName = useTranslations("settings.fields.types");
  const { newsletterId } = useViewer();
  const create = api.fields.create.useMutation();
  const change = api.fields.change.useMutation();
  const form = useServerForm(
    {
      label: field?.label ?? begin?.label ?? "",
      key: field?.key ?? keyFor(begin?.label ?? ""),
      type: field?.type ?? begin?.type ?? ("text" as FieldType),
      choices: field?.choices.join("\n") ?? "",
      required: field?.required ?? false,
    },
    async ({ label, key, type, choices: lines, required }) => {
      const choices = type === "choice" && { choices: linesOf(lines) };
      const rest = { label, required, ...choices };
      if (field) await change.mutateAsync({ newsletterId, key, patch: rest });
      else await create.mutateAsync({ newsletterId, field: { key, type, ...rest } });
      notify(field ? t("saved") : t("defined", { label }));
      if (!field) onDefined?.(key);
      onClose();
    },
  );
  const { key, type } = form.values;

  return (
    <FormDialog
      title={field ? t("titleEdit", { label: field.label }) : t("titleNew")}
      form={form}
      submit={field ? undefined : t("submitNew")}
      onClose={onClose}
    >
      <TextInput
        {...form.input("label", t("label"))}
        autoComplete="off"
        data-autofocus
        onChange={(event) => {
          const label = event.currentTarget.value;
          // The key follows the label until staff type their own key.
          if (!field && key === keyFor(form.values.label)) form.setFieldValue("key", keyFor(label));
          form.setFieldValue("label", label);
        }}
      />
      {field ? (
        <p className={kit.quiet}>{t.rich("keyAndType", { key, type: typeName(type), code })}</p>
      ) : (
        <>
          <TextInput
            {...form.input("key", t("key"), t("keyHint"))}
            autoComplete="off"
            styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
          />
          <NativeSelect
            {...form.input("type", t("type"))}
            data={fieldTypes.map((value) => ({ value, label: typeName(value) }))}
          />
        </>
      )}
      {type === "choice" && (
        <Textarea
          {...form.input("choices", t("choices"), field && t("choicesHint"))}
          minRows={3}
          maxRows={12}
        />
      )}
      <Checkbox {...form.checkbox("required", t("required"))} />
    </FormDialog>
  );
}
