"use client";
import { Checkbox, NativeSelect, Stack, TextInput } from "@mantine/core";
import { useTranslations } from "use-intl";
import { type Permission, permissions } from "@/server/api-keys/schema/permissions";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { Code } from "../ui/copy";
import { useServerForm } from "../ui/form";
import { FormDialog } from "../ui/form-dialog";
import { SecretDialog } from "../ui/secret-dialog";
import { curlFor } from "./curl";

/** A key's lifetimes in days. The empty value never expires. */
const lifetimes = [
  { value: "", name: "never" },
  { value: "30", name: "days30" },
  { value: "90", name: "days90" },
  { value: "365", name: "year" },
] as const;

/** The text keys of the permissions. */
export const permissionKeys = {
  "subscribers:read": "read",
  "subscribers:write": "write",
} as const satisfies Record<Permission, string>;

/** Asks for a key's name, permissions and expiry, and creates it. */
export function NewApiKey({ onClose, onCreated }: { onClose(): void; onCreated(secret: string): void }) {
  const t = useTranslations("api.newKey");
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
    <FormDialog title={t("title")} form={form} submit={t("create")} onCancel={onClose} onClose={onClose}>
      <TextInput
        label={t("name")}
        description={t("nameDescription")}
        data-autofocus
        {...form.getInputProps("name")}
      />
      <Checkbox.Group label={t("permissions")} {...form.getInputProps("permissions")}>
        <Stack gap={10} mt={6}>
          {permissions.map((one) => (
            <Checkbox key={one} size="xs" value={one} label={t(`permission.${permissionKeys[one]}`)} />
          ))}
        </Stack>
      </Checkbox.Group>
      <NativeSelect
        label={t("expires")}
        data={lifetimes.map(({ value, name }) => ({ value, label: t(`lifetime.${name}`) }))}
        {...form.getInputProps("expiresInDays")}
      />
    </FormDialog>
  );
}

export function ApiKeySecret({ secret, onClose }: { secret: string; onClose(): void }) {
  const t = useTranslations("api");
  const { appUrl } = useViewer();
  return (
    <SecretDialog
      title={t("newKey.createdTitle")}
      text={t("newKey.createdText")}
      label={t("newKey.secret")}
      secret={secret}
      onClose={onClose}
    >
      <h2>{t("example.titleWithThisKey")}</h2>
      <Code label={t("example.code")}>{curlFor(appUrl, secret)}</Code>
    </SecretDialog>
  );
}
