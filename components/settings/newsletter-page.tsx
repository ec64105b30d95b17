"use client";
import { Button, Group, NativeSelect, SimpleGrid, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { newsletterRestoreDays } from "@/server/kernel/durations";
import type { Language } from "@/server/kernel/languages";
import {
  leastOwnDomainMailsPerDay,
  maxDomainMailsPerDay,
  maxMailsPerDay,
} from "@/server/mail/schema/mail-budgets";
import { maxSendDelaySeconds } from "@/server/mail/schema/mailings";
import { useViewer } from "../shell/viewer";
import { languageOptions } from "../texts/language-options";
import { api, changesFrame, type Outputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import { SettingsForm, useSettingsForm } from "../ui/form";
import kit from "../ui/kit.module.css";
import { Loaded } from "../ui/list-page";
import { notify } from "../ui/notify";
import { WholeNumberInput } from "./whole-number-input";

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

function NewsletterForm({ settings }: { settings: Outputs["newsletters"]["settings"] }) {
  const t = useTranslations("settings.newsletter");
  const { newsletterId, noManage } = useViewer();
  const save = api.newsletters.save.useMutation(changesFrame);
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
    return t("saved");
  });
  return (
    <SettingsForm form={form} readOnly={noManage}>
      <TextInput {...form.input("name", t("name"))} />
      <TextInput
        {...form.input("sender", t("sender"), t("senderHint", { mailFrom }))}
        placeholder="Weekly <hello@example.org>"
      />
      <TextInput {...form.input("replyTo", t("replies"), t("repliesHint"))} type="email" />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NativeSelect {...form.input("language", t("language"), t("languageHint"))} data={languageOptions} />
        <TextInput {...form.input("timeZone", t("timeZone"), t("timeZoneHint"))} list="zones" />
      </SimpleGrid>
      <WholeNumberInput
        {...form.input(
          "domainMailsPerDay",
          t("perDomain"),
          t("perDomainHint", { own: leastOwnDomainMailsPerDay }),
        )}
        max={maxDomainMailsPerDay}
      />
      <WholeNumberInput {...form.input("mailsPerDay", t("inTotal"), t("inTotalHint"))} max={maxMailsPerDay} />
      <WholeNumberInput
        {...form.input("sendDelaySeconds", t("undoWindow"), t("undoWindowHint"))}
        min={0}
        max={maxSendDelaySeconds}
      />
      <datalist id="zones">
        {timeZones().map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </SettingsForm>
  );
}

/** Archives or deletes the newsletter. The notice at the top of each page reverses this. */
function CloseNewsletter() {
  const t = useTranslations("settings.close");
  const { newsletter, newsletters, isOwner } = useViewer();
  const [asking, setAsking] = useState<"archive" | "delete" | null>(null);
  const isLast = !newsletters.some(({ id, removeAt }) => id !== newsletter.id && removeAt === null);
  if (newsletter.removeAt !== null) return <p className={kit.quiet}>{t("isDeleted")}</p>;
  return (
    <>
      <p className={kit.quiet}>{t("intro", { days: newsletterRestoreDays })}</p>
      {isOwner ? (
        <Group gap="xs" mt="sm">
          {newsletter.archivedAt === null && (
            <Button variant="default" onClick={() => setAsking("archive")}>
              {t("archive")}
            </Button>
          )}
          <Button variant="default" color="red" disabled={isLast} onClick={() => setAsking("delete")}>
            {t("delete")}
          </Button>
        </Group>
      ) : (
        <p className={kit.quiet}>{t("ownersOnly")}</p>
      )}
      {isOwner && isLast && <p className={kit.quiet}>{t("onlyNewsletter")}</p>}
      {asking === "archive" && <Archive onClose={() => setAsking(null)} />}
      {asking === "delete" && <Delete onClose={() => setAsking(null)} />}
    </>
  );
}

function Archive({ onClose }: { onClose(): void }) {
  const t = useTranslations("settings.close.archiving");
  const { newsletterId, newsletter } = useViewer();
  const { name } = newsletter;
  const { mutateAsync } = api.newsletters.archive.useMutation(changesFrame);
  const archive = async () => {
    await mutateAsync({ newsletterId });
    notify(t("done", { name }));
  };
  return (
    <Confirm title={t("title", { name })} action={t("action")} onConfirm={archive} onClose={onClose}>
      <p>{t("consequences")}</p>
      <p>{t("whatStays")}</p>
    </Confirm>
  );
}

function Delete({ onClose }: { onClose(): void }) {
  const t = useTranslations("settings.close.deleting");
  const { newsletterId, newsletter } = useViewer();
  const { name } = newsletter;
  const days = newsletterRestoreDays;
  const counts = api.people.counts.useQuery({ newsletterId });
  const { mutateAsync } = api.newsletters.delete.useMutation(changesFrame);
  const remove = async () => {
    await mutateAsync({ newsletterId, name });
    notify(t("done", { name, days }));
  };
  const everybody = counts.data && Object.values(counts.data).reduce((sum, n) => sum + n, 0);
  return (
    <Confirm
      title={t("title", { name })}
      action={t("action")}
      danger
      guarded
      typed={name}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>
        {everybody === undefined
          ? t("consequences", { days })
          : t("consequencesCounted", { days, people: everybody })}
      </p>
      <p>{t("optOuts")}</p>
    </Confirm>
  );
}
