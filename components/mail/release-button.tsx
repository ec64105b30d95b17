"use client";
import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslations } from "use-intl";
import type { BudgetGroup } from "@/server/mail/schema/mail-budgets";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { notify } from "../ui/notify";
import { MailingQuestion } from "./mailing-question";

/** Sends emails over the daily budget, after a confirmation. */
export function ReleaseButton({ group, mails }: { group: BudgetGroup; mails: number }) {
  const t = useTranslations("mails.release");
  const { newsletterId } = useViewer();
  const [asking, setAsking] = useState(false);
  const release = api.mails.release.useMutation({
    onSuccess(result) {
      setAsking(false);
      notify(t("done", { n: result.mails }));
    },
  });
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t("button", { n: mails })}
      </Button>
      {asking && (
        <MailingQuestion
          kind="release"
          of={{ budget: group }}
          listHref={`/n/${newsletterId}/mails?state=deferred`}
          busy={release.isPending}
          error={release.error}
          onConfirm={(named) => release.mutate({ newsletterId, ...group, mails: named })}
          onClose={() => setAsking(false)}
        >
          <p>{t("noLimit")}</p>
          <p>{t("unwanted")}</p>
        </MailingQuestion>
      )}
    </>
  );
}
