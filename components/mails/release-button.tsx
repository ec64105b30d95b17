"use client";
import { Button } from "@mantine/core";
import { useState } from "react";
import type { BudgetGroup } from "@/server/contract/mail-budgets";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { notify } from "../ui/notify";
import { count, counted } from "../ui/numbers";
import { MailingQuestion } from "./mailing-question";

/** Sends mails that wait for a budget of the day without regard to it, once somebody has said that they mean it. */
export function ReleaseButton({ group, mails }: { group: BudgetGroup; mails: number }) {
  const { newsletterId } = useViewer();
  const [asking, setAsking] = useState(false);
  const release = api.mails.release.useMutation({
    onSuccess(result) {
      setAsking(false);
      notify(`${counted(result.mails, "confirmation")} released.`);
    },
  });
  const where = group.domain === null ? "" : ` to ${group.domain}`;
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Release {count(mails)}
      </Button>
      {asking && (
        <MailingQuestion
          kind="release"
          of={{ budget: group }}
          verb={(some) => `Release ${some}${where}`}
          listHref={`/n/${newsletterId}/mails?state=deferred`}
          busy={release.isPending}
          error={release.error}
          onConfirm={(named) => release.mutate({ newsletterId, ...group, mails: named })}
          onClose={() => setAsking(false)}
        >
          <p>
            These emails don’t count toward the daily limit. Each person still receives at most one a minute
            and three a day.
          </p>
          <p>
            If these people did not sign up, they receive an unwanted email in your name. Erase or unsubscribe
            them instead.
          </p>
        </MailingQuestion>
      )}
    </>
  );
}
