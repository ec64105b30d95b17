import { NativeSelect, Stack, TextInput } from "@mantine/core";
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
  const initial: { email: string; role: Role } = { email: "", role: "editor" };
  const form = useServerForm(initial, ({ email, role }) =>
    invite.mutateAsync({ invitation: { email: email.trim(), role } }),
  );
  if (invite.isSuccess) {
    const { email } = invite.variables.invitation;
    return (
      <Dialog onClose={onClose} title={sends ? t("queuedTitle") : t("shareTitle")}>
        <Stack>
          <p>
            {sends ? t("queued", { email }) : t("stored")} {t("linkRules")}
          </p>
          <Code label={linkLabel}>{invite.data.url}</Code>
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
