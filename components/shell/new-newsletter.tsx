"use client";
import { TextInput } from "@mantine/core";
import { useTranslations } from "use-intl";
import { api } from "../trpc";
import { Dialog } from "../ui/dialog";
import { Form, useServerForm } from "../ui/form";

/** Asks for a new newsletter's name and opens the newsletter. */
export default function NewNewsletter({ onClose }: { onClose(): void }) {
  const t = useTranslations("shell.newNewsletter");
  const create = api.newsletters.create.useMutation();
  const form = useServerForm({ name: "" }, async (values) => {
    const { id } = await create.mutateAsync(values);
    // The whole frame depends on the list of newsletters, so the page reloads.
    window.location.assign(`/n/${id}`);
  });
  return (
    <Dialog onClose={onClose} title={t("title")}>
      <Form form={form} submit={t("create")}>
        <TextInput
          label={t("name")}
          description={t("nameHint")}
          data-autofocus
          {...form.getInputProps("name")}
        />
      </Form>
    </Dialog>
  );
}
