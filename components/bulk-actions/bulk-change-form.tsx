import { NativeSelect } from "@mantine/core";
import { useTranslations } from "use-intl";
import type { BulkChange } from "@/server/bulk-actions/schema/bulk-changes";
import { useViewer } from "../shell/viewer";
import { FieldInput, TagInput, TagSelect } from "../subscribers/attribute-inputs";
import { sentValue, useFields } from "../subscribers/attribute-text";
import { api, type Inputs } from "../trpc";
import { FormDialog, useServerForm } from "../ui/form";
import { type BulkSelection, useOutcome } from "./use-bulk-action";

export type BulkChangeKind = BulkChange["kind"];

type Props = {
  kind: BulkChangeKind;
  target: BulkSelection;
  selected: number;
  /** The name of the selected segment; null for any other selection. */
  segment?: string | null;
  /** The tags to begin with. */
  tags?: string[];
  onStarted?(): void;
  onClose(): void;
};

/** Adds tags to people, removes tags, or sets a field. */
export function BulkChangeForm({ kind, target, selected, onStarted, onClose, ...rest }: Props) {
  const { segment = null, tags = [] } = rest;
  const t = useTranslations("bulkActions.change");
  const { newsletterId } = useViewer();
  const { fields } = useFields();
  const tell = useOutcome();
  const start = api.bulkActions.change.useMutation();
  const initial = { tags, key: "", value: "" };
  const form = useServerForm(initial, async (typed) => {
    const field = fields.find(({ key }) => key === typed.key);
    const change: Inputs["bulkActions"]["change"]["change"] =
      kind === "set_field"
        ? { kind, key: typed.key, value: field ? sentValue(field, typed.value) : null }
        : { kind, tags: typed.tags };
    tell(await start.mutateAsync({ newsletterId, change, target }));
    onStarted?.();
    onClose();
  });
  const field = fields.find(({ key }) => key === form.values.key);
  const title =
    segment === null
      ? t(`title.${kind}`, { n: selected })
      : t(`titleOfSegment.${kind}`, { n: selected, segment });
  return (
    <FormDialog title={title} form={form} submit={t(`action.${kind}`, { n: selected })} onClose={onClose}>
      {kind === "tag" && <TagInput data-autofocus {...form.getInputProps("tags")} />}
      {kind === "untag" && <TagSelect {...form.input("tags", t("tags"))} data-autofocus />}
      {kind === "set_field" && (
        <NativeSelect
          {...form.input("key", t("field"))}
          data={[
            { value: "", label: t("chooseField") },
            ...fields.map(({ key, label }) => ({ value: key, label })),
          ]}
          data-autofocus
          onChange={(event) => form.setValues({ key: event.currentTarget.value, value: "" })}
        />
      )}
      {kind === "set_field" && field && (
        <FieldInput
          field={{ ...field, label: t("value") }}
          none={t("noValue")}
          value={form.values.value}
          onChange={(event) => form.setFieldValue("value", event.currentTarget.value)}
        />
      )}
      <p>{t("undoable")}</p>
    </FormDialog>
  );
}
