"use client";
import { NativeSelect, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Role } from "@/server/contract/roles";
import { noKey } from "../mails/mail-words";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { Code } from "../ui/copy";
import { Dialog } from "../ui/dialog";
import { Form, useServerForm } from "../ui/form";

const roleOptions: { value: Role; label: string }[] = [
  { value: "editor", label: "Editor: people, imports, emails" },
  { value: "viewer", label: "Viewer: read-only access" },
  { value: "owner", label: "Owner: everything" },
];

/** Asks for an address and a role, invites, and shows the invitation's link. */
export function Invite({ onClose }: { onClose(): void }) {
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
      <Dialog onClose={onClose} title={sends ? "The invitation is queued" : "Share this link"}>
        <Stack>
          <p>
            {sends
              ? `${created.email} receives an email with this link. If it does not arrive, share the link yourself.`
              : `The email is stored but not sent: ${noKey}. Share the link yourself.`}{" "}
            The link works once, for a week. The invited person chooses a name and a password.
          </p>
          <Code label="The invitation's link">{created.url}</Code>
        </Stack>
      </Dialog>
    );
  }
  return (
    <Dialog onClose={onClose} title="Invite a teammate">
      <Form form={form} submit={sends ? "Send 1 invitation" : "Create link"} atEnd>
        <TextInput type="email" label="Email" data-autofocus {...form.getInputProps("email")} />
        <NativeSelect label="Role" data={roleOptions} {...form.getInputProps("role")} />
      </Form>
    </Dialog>
  );
}
