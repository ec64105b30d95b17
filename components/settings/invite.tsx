import { NativeSelect, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslations } from "use-intl";
import type { Role } from "@/server/staff/schema/roles";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { Code } from "../ui/copy";
import { Dialog } from "../ui/dialog";
import { FormDialog, useServerForm } from "../ui/form";

/** Roles, most frequent choice first. */
const offered: Role[] = ["editor", "viewer", "owner"];

/** Asks for an address and a role, invites, and shows the invitation's link. */
export default function Invite({ onClose }: { onClose(): void }) {
  const t = useTranslations("account.invite");
  const linkLabel = useTranslations("account.invitation")("link");
  const { sends } = useViewer();
  const invite = api.account.invite.useMutation();
  const [created, setCreated] = useState<{ url: string; email: string } | null>(null);
  const initial: { email: string; role: Role } = { email: "", role: "editor" };
  const form = useServerForm(initial, async (values) => {
    const email = values.email.trim();
    const { url } = await invite.mutateAsync({ invitation: { ...values, email } });
    setCreated({ url, email });
  });
  if (created) {
    return (
      <Dialog onClose={onClose} title={sends ? t("queuedTitle") : t("shareTitle")}>
        <Stack>
          <p>
            {sends ? t("queued", { email: created.email }) : t("stored")} {t("linkRules")}
          </p>
          <Code label={linkLabel}>{created.url}</Code>
        </Stack>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={t("title")}
      form={form}
      submit={sends ? t("send") : t("createLink")}
      guarded
      onClose={onClose}
    >
      <TextInput {...form.input("email", t("email"))} type="email" data-autofocus />
      <NativeSelect
        {...form.input("role", t("role"))}
        data={offered.map((value) => ({ value, label: t(`roles.${value}`) }))}
      />
    </FormDialog>
  );
}
