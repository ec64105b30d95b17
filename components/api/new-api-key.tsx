"use client";
import { Button, Checkbox, NativeSelect, Stack, TextInput } from "@mantine/core";
import { type Permission, permissions } from "@/server/contract/permissions";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { Code } from "../ui/copy";
import { Dialog } from "../ui/dialog";
import { Form, useServerForm } from "../ui/form";
import { SecretDialog } from "../ui/secret-dialog";
import { curlFor } from "./curl";

const lifetimes = [
  { value: "", label: "Never" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
];

/** Asks for a key's name, permissions and expiry, and creates it. */
export function NewApiKey({ onClose, onCreated }: { onClose(): void; onCreated(secret: string): void }) {
  const { newsletterId } = useViewer();
  const create = api.keys.create.useMutation();
  const initial = {
    name: "",
    permissions: [...permissions] as Permission[],
    expiresInDays: "",
  };
  const form = useServerForm(initial, async ({ expiresInDays, ...values }) => {
    const key = { ...values, expiresInDays: expiresInDays === "" ? null : Number(expiresInDays) };
    const { secret } = await create.mutateAsync({ newsletterId, key });
    onCreated(secret);
  });
  return (
    <Dialog onClose={onClose} title="New key">
      <Form
        form={form}
        submit="Create key"
        atEnd
        actions={
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        }
      >
        <TextInput
          label="Name"
          description="The system that uses this key, such as Shop or Website."
          data-autofocus
          {...form.getInputProps("name")}
        />
        <Checkbox.Group label="Permissions" {...form.getInputProps("permissions")}>
          <Stack gap={10} mt={6}>
            <Checkbox size="xs" value="subscribers:read" label="read people" />
            <Checkbox size="xs" value="subscribers:write" label="add and change people" />
          </Stack>
        </Checkbox.Group>
        <NativeSelect label="Expires" data={lifetimes} {...form.getInputProps("expiresInDays")} />
      </Form>
    </Dialog>
  );
}

export function ApiKeySecret({ secret, onClose }: { secret: string; onClose(): void }) {
  const { appUrl } = useViewer();
  return (
    <SecretDialog
      title="Key created"
      text="The key is shown only once. Copy it to a safe place."
      label="The key"
      secret={secret}
      onClose={onClose}
    >
      <h2>Add a person with this key</h2>
      <Code label="curl example">{curlFor(appUrl, secret)}</Code>
    </SecretDialog>
  );
}
