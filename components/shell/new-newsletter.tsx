import { TextInput } from "@mantine/core";
import { useTranslations } from "use-intl";
import { api } from "../trpc";
import { FormDialog, useServerForm } from "../ui/form";
import { forgetUnsaved } from "../ui/unsaved";

/** Asks for a new newsletter's name and opens the newsletter. */
export default function NewNewsletter({ onClose }: { onClose(): void }) {
  const t = useTranslations("shell.newNewsletter");
  const create = api.newsletters.create.useMutation();
  const form = useServerForm({ name: "" }, async (values) => {
    const { id } = await create.mutateAsync(values);
    forgetUnsaved();
    // The whole frame depends on the list of newsletters, so the page reloads.
    window.location.assign(`/n/${id}`);
  });
  return (
    <FormDialog title={t("title")} form={form} submit={t("create")} atEnd={false} onClose={onClose}>
      <TextInput {...form.input("name", t("name"), t("nameHint"))} data-autofocus />
    </FormDialog>
  );
}
