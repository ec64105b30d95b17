"use client";
import { Button } from "@mantine/core";
import { useState } from "react";
import type { BudgetGroup } from "@/server/contract/mail-budgets";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { Confirm } from "../ui/confirm";
import { notify } from "../ui/notify";
import { count, counted } from "../ui/numbers";

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
  const action = `Release ${count(mails)}`;
  const where = group.domain === null ? "" : ` to ${group.domain}`;
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {action}
      </Button>
      {asking && (
        <Confirm
          title={`Release ${counted(mails, "confirmation")}${where}?`}
          action={action}
          busy={release.isPending}
          error={release.error}
          onConfirm={() => release.mutate({ newsletterId, ...group, mails })}
          onClose={() => setAsking(false)}
        >
          <p>
            They are sent now, as fast as Resend takes them, and leave the day’s budget to others. Each person
            still gets at most one a minute and three a day.
          </p>
          <p>
            If these people did not ask for it, they are strangers who get an unwanted mail in your name:
            erase or unsubscribe them instead, and nothing is sent.
          </p>
        </Confirm>
      )}
    </>
  );
}
