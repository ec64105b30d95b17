"use client";
import { NativeSelect, NumberInput, SimpleGrid, TextInput } from "@mantine/core";
import { useRouter } from "next/navigation";
import type { Language } from "@/server/contract/languages";
import { mostDomainMailsPerDay, mostMailsPerDay } from "@/server/contract/mail-budgets";
import { maxSendDelaySeconds } from "@/server/contract/mailings";
import { useViewer } from "../shell/viewer";
import { languageOptions } from "../texts/language-options";
import { api, type Outputs } from "../trpc";
import { SettingsForm, useSettingsForm } from "../ui/settings-form";

const timeZones = () => ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];

const wholeNumber = {
  min: 1,
  allowDecimal: false,
  allowNegative: false,
  thousandSeparator: ",",
  hideControls: true,
  clampBehavior: "none",
} as const;

export function NewsletterForm({ settings }: { settings: Outputs["newsletters"]["settings"] }) {
  const { newsletterId, noManage } = useViewer();
  const router = useRouter();
  const save = api.newsletters.save.useMutation();
  const { id: _, sender, replyTo, mailFrom, ...rest } = settings;
  const language = settings.language as Language;
  const initial = { ...rest, sender: sender ?? "", replyTo: replyTo ?? "", language };
  const toInput = (values: typeof initial) => ({
    ...values,
    sender: values.sender.trim() || null,
    replyTo: values.replyTo.trim() || null,
  });
  const form = useSettingsForm(initial, async (values, { was }) => {
    await save.mutateAsync({ newsletterId, settings: toInput(values), was: toInput(was) });
    // The navigation has the newsletter's name from the server.
    router.refresh();
    return "Saved. Existing emails keep their text.";
  });
  return (
    <SettingsForm form={form} readOnly={noManage}>
      <TextInput label="Name" {...form.getInputProps("name")} />
      <TextInput
        label="Sender"
        description={`The domain must be verified at your email provider. Defaults to ${mailFrom}.`}
        placeholder="Weekly <hello@example.org>"
        {...form.getInputProps("sender")}
      />
      <TextInput
        type="email"
        label="Replies go to"
        description="Defaults to the sender address."
        {...form.getInputProps("replyTo")}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NativeSelect
          label="Language"
          description="Used in emails and on public pages."
          data={languageOptions}
          {...form.getInputProps("language")}
        />
        <TextInput
          label="Time zone"
          description="Used for daily statistics and limits."
          list="zones"
          {...form.getInputProps("timeZone")}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberInput
          label="Confirmations per day to one domain"
          description="Gmail, Outlook and other large providers are not counted. Emails over the limit wait under Emails."
          max={mostDomainMailsPerDay}
          {...wholeNumber}
          {...form.getInputProps("domainMailsPerDay")}
        />
        <NumberInput
          label="Confirmations per day in total"
          description="Emails over the limit wait for the next day, or until staff release them."
          max={mostMailsPerDay}
          {...wholeNumber}
          {...form.getInputProps("mailsPerDay")}
        />
      </SimpleGrid>
      <NumberInput
        label="Undo window for bulk emails"
        description="Seconds to cancel before sending (0–600). 0 sends immediately."
        {...wholeNumber}
        min={0}
        max={maxSendDelaySeconds}
        {...form.getInputProps("sendDelaySeconds")}
      />
      <datalist id="zones">
        {timeZones().map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </SettingsForm>
  );
}
