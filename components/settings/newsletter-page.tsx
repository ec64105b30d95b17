"use client";
import { NativeSelect, NumberInput, SimpleGrid, TextInput } from "@mantine/core";
import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "use-intl";
import type { Language } from "@/server/kernel/languages";
import { maxDomainMailsPerDay, maxMailsPerDay } from "@/server/mail/schema/mail-budgets";
import { maxSendDelaySeconds } from "@/server/mail/schema/mailings";
import { useViewer } from "../shell/viewer";
import { languageOptions } from "../texts/language-options";
import { api, type Outputs } from "../trpc";
import { Loaded } from "../ui/list-page";
import { SettingsForm, useSettingsForm } from "../ui/settings-form";
import { CloseNewsletter } from "./close-newsletter";

/** The newsletter's public details, and its archiving and deletion. */
export function NewsletterPage() {
  const t = useTranslations("settings.close");
  const { newsletterId } = useViewer();
  const settings = api.newsletters.settings.useQuery({ newsletterId });
  return (
    <>
      <Loaded query={settings} rows={5}>
        {(found) => <NewsletterForm key={newsletterId} settings={found} />}
      </Loaded>
      <h2 id="close">{t("heading")}</h2>
      <CloseNewsletter />
    </>
  );
}

const timeZones = () => ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];

const wholeNumber = {
  min: 1,
  allowDecimal: false,
  allowNegative: false,
  hideControls: true,
  clampBehavior: "none",
} as const;

/** How a language writes large numbers: 1,000 or 1.000. */
function separatorsOf(language: Language) {
  const parts = new Intl.NumberFormat(language).formatToParts(1_000_000.5);
  const find = (kind: "group" | "decimal") => parts.find(({ type }) => type === kind)?.value;
  return { thousandSeparator: find("group") ?? ",", decimalSeparator: find("decimal") ?? "." };
}

function NewsletterForm({ settings }: { settings: Outputs["newsletters"]["settings"] }) {
  const t = useTranslations("settings.newsletter");
  const separators = separatorsOf(useLocale());
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
    // The server renders the newsletter's name in the navigation.
    router.refresh();
    return t("saved");
  });
  return (
    <SettingsForm form={form} readOnly={noManage}>
      <TextInput label={t("name")} {...form.getInputProps("name")} />
      <TextInput
        label={t("sender")}
        description={t("senderHint", { mailFrom })}
        placeholder="Weekly <hello@example.org>"
        {...form.getInputProps("sender")}
      />
      <TextInput
        type="email"
        label={t("replies")}
        description={t("repliesHint")}
        {...form.getInputProps("replyTo")}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NativeSelect
          label={t("language")}
          description={t("languageHint")}
          data={languageOptions}
          {...form.getInputProps("language")}
        />
        <TextInput
          label={t("timeZone")}
          description={t("timeZoneHint")}
          list="zones"
          {...form.getInputProps("timeZone")}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberInput
          label={t("perDomain")}
          description={t("perDomainHint")}
          max={maxDomainMailsPerDay}
          {...wholeNumber}
          {...separators}
          {...form.getInputProps("domainMailsPerDay")}
        />
        <NumberInput
          label={t("inTotal")}
          description={t("inTotalHint")}
          max={maxMailsPerDay}
          {...wholeNumber}
          {...separators}
          {...form.getInputProps("mailsPerDay")}
        />
      </SimpleGrid>
      <NumberInput
        label={t("undoWindow")}
        description={t("undoWindowHint")}
        {...wholeNumber}
        {...separators}
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
