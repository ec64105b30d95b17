"use client";
import { MultiSelect, NativeSelect } from "@mantine/core";
import type { BulkChange } from "@/server/contract/bulk-changes";
import { FieldInput, TagInput } from "../people/attribute-inputs";
import { sentValue } from "../people/attribute-text";
import { useViewer } from "../shell/viewer";
import { api, type Inputs } from "../trpc";
import { Dialog } from "../ui/dialog";
import { Form, useServerForm } from "../ui/form";
import { people } from "../ui/numbers";
import { type BulkSelection, useOutcome } from "./use-bulk-action";

export type BulkChangeKind = BulkChange["kind"];

const verbs: Record<BulkChangeKind, (who: string) => string> = {
  tag: (who) => `Add tags to ${who}`,
  untag: (who) => `Remove tags from ${who}`,
  set_field: (who) => `Set a field of ${who}`,
};

type Props = {
  kind: BulkChangeKind;
  target: BulkSelection;
  selected: number;
  /** Whose people they are, for the question: " of the segment VIPs", or nothing. */
  from: string;
  onStarted(): void;
  onClose(): void;
};

/** Adds or removes tags of many people, or sets a field. */
export function BulkChangeForm({ kind, target, selected, from, onStarted, onClose }: Props) {
  const { newsletterId } = useViewer();
  const { data: tags = [] } = api.tags.useQuery({ newsletterId });
  const { data: fields = [] } = api.fields.list.useQuery({ newsletterId });
  const tell = useOutcome();
  const start = api.bulkActions.change.useMutation();
  const initial = { tags: [] as string[], key: "", value: "" };
  const form = useServerForm(initial, async (typed) => {
    const field = fields.find(({ key }) => key === typed.key);
    const change: Inputs["bulkActions"]["change"]["change"] =
      kind === "set_field"
        ? { kind, key: typed.key, value: field ? sentValue(field, typed.value) : null }
        : { kind, tags: typed.tags };
    tell(await start.mutateAsync({ newsletterId, change, target }));
    onStarted();
    onClose();
  });
  const field = fields.find(({ key }) => key === form.values.key);
  const verb = verbs[kind](people(selected));
  return (
    <Dialog onClose={onClose} title={`${verb}${from}?`}>
      <Form form={form} submit={verb} atEnd>
        {kind === "tag" && <TagInput data={tags} data-autofocus {...form.getInputProps("tags")} />}
        {kind === "untag" && (
          <MultiSelect
            label="Tags"
            data={tags}
            limit={20}
            searchable
            nothingFoundMessage="No such tag"
            data-autofocus
            {...form.getInputProps("tags")}
          />
        )}
        {kind === "set_field" && (
          <NativeSelect
            label="Field"
            data={[
              { value: "", label: "Choose a field" },
              ...fields.map(({ key, label }) => ({ value: key, label })),
            ]}
            data-autofocus
            {...form.getInputProps("key")}
            onChange={(event) => form.setValues({ key: event.currentTarget.value, value: "" })}
          />
        )}
        {kind === "set_field" && field && (
          <FieldInput
            field={{ ...field, label: "Value" }}
            none="None (remove the value)"
            value={form.values.value}
            onChange={(event) => form.setFieldValue("value", event.currentTarget.value)}
          />
        )}
        <p>This can be undone for a day.</p>
      </Form>
    </Dialog>
  );
}
