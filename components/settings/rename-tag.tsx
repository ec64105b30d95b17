import { TextInput } from "@mantine/core";
import { useTranslations } from "use-intl";
import { canonicalTag } from "@/server/subscribers/field-values";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { FormDialog, useServerForm } from "../ui/form";
import { notify } from "../ui/notify";

type Tag = Outputs["tags"]["list"][number];
type Props = { tag: Tag; tags: Tag[]; onMerge(into: Tag): void; onClose(): void };

/** Renames a tag. The name of another tag asks whether to merge them. */
export default function RenameTag({ tag: { name }, tags, onMerge, onClose }: Props) {
  const t = useTranslations("settings.tags.renaming");
  const { newsletterId } = useViewer();
  const change = api.tags.change.useMutation();
  const form = useServerForm({ name }, async (patch) => {
    const wanted = canonicalTag(patch.name.trim());
    const other = tags.find((one) => one.name !== name && canonicalTag(one.name) === wanted);
    if (other) return onMerge(other);
    const { tag } = await change.mutateAsync({ newsletterId, name, patch, merge: false });
    notify(t("done", { name: tag.name }));
    onClose();
  });
  return (
    <FormDialog title={t("title", { name })} form={form} submit={t("save")} onClose={onClose}>
      <TextInput {...form.input("name", t("name"), t("hint"))} autoComplete="off" data-autofocus />
    </FormDialog>
  );
}
