import { Checkbox, NativeSelect, Stack, TextInput } from "@mantine/core";
import { useTranslations } from "use-intl";
import { defaultPermissions, type Permission, permissions } from "@/server/api-keys/schema/permissions";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { FormDialog, useServerForm } from "../ui/form";
import type { CreatedKey } from "./api-key-row";

/** A key's lifetimes in days. */
const lifetimes = ["never", "30", "90", "365"] as const;

type Props = { onClose(): void; onCreated(created: CreatedKey): void };

/** Asks for a key's name, permissions and expiry, and creates it. */
export default function NewApiKey({ onClose, onCreated }: Props) {
  const t = useTranslations("api.newKey");
  const { newsletterId, newsletter, account } = useViewer();
  const create = api.keys.create.useMutation();
  const initial = {
    name: "",
    newsletters: "one",
    permissions: [...defaultPermissions] as Permission[],
    networks: "",
    expiresInDays: "never",
  };
  const form = useServerForm(initial, async ({ expiresInDays, newsletters, ...values }) => {
    const forAllNewsletters = newsletters === "all";
    const days = expiresInDays === "never" ? null : Number(expiresInDays);
    const key = { ...values, forAllNewsletters, expiresInDays: days };
    const { secret } = await create.mutateAsync({ newsletterId, key });
    onCreated({ secret, forAllNewsletters });
  });
  return (
    <FormDialog
      title={t("title")}
      form={form}
      submit={t("create")}
      guarded
      onCancel={onClose}
      onClose={onClose}
    >
      <TextInput {...form.input("name", t("name"), t("nameDescription"))} data-autofocus />
      <NativeSelect
        {...form.input("newsletters", t("newsletters"))}
        data={[
          { value: "one", label: t("oneNewsletter", { newsletter: newsletter.name }) },
          { value: "all", label: t("allNewsletters", { account: account.name }) },
        ]}
      />
      <Checkbox.Group {...form.input("permissions", t("permissions"))}>
        <Stack gap={10} mt={6}>
          {permissions.map((one) => (
            <Checkbox key={one} size="xs" value={one} label={t(`permission.${one}`)} />
          ))}
        </Stack>
      </Checkbox.Group>
      <TextInput {...form.input("networks", t("networks"), t("networksDescription"))} autoComplete="off" />
      <NativeSelect
        {...form.input("expiresInDays", t("expires"))}
        data={lifetimes.map((value) => ({ value, label: t(`lifetime.${value}`) }))}
      />
    </FormDialog>
  );
}
