"use client";
import { Button, Group } from "@mantine/core";
import { useTranslations } from "use-intl";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import kit from "../ui/kit.module.css";
import { Time } from "../ui/time";
import { describeIssue, isOverBudget, type MailIssue } from "./mail-issue-text";
import styles from "./mails.module.css";
import { RetryButton } from "./retry-button";

/** Whether staff must act. Other issues resolve by themselves. */
const isUrgent = (issue: MailIssue) =>
  ["failed", "uncertain", "bounced"].includes(issue.state) || isOverBudget(issue);

/** Lists delivery problems, each reason once, with advice. Hidden without problems. */
export function MailIssues({ onShow }: { onShow(state: MailIssue["state"]): void }) {
  const t = useTranslations("mails.issues");
  const { newsletterId } = useViewer();
  const { data: issues = [] } = api.mails.issues.useQuery({ newsletterId });
  if (issues.length === 0) return null;
  return (
    <ul className={`${kit.rows} ${styles.issues}`} aria-label={t("label")}>
      {[...issues]
        .sort((a, b) => Number(isUrgent(b)) - Number(isUrgent(a)))
        .map((issue) => (
          <IssueRow
            key={`${issue.state} ${issue.code} ${issue.domain}`}
            issue={issue}
            onShow={() => onShow(issue.state)}
          />
        ))}
    </ul>
  );
}

function IssueRow({ issue, onShow }: { issue: MailIssue; onShow(): void }) {
  const t = useTranslations("mails.issues");
  const { newsletterId, mayEdit } = useViewer();
  const { client } = api.useUtils();
  const { what, advice } = describeIssue(t, issue);
  const { state, code, mails, until } = issue;

  return (
    <li data-urgent={isUrgent(issue) || undefined}>
      <div className={kit.entry}>
        <b>{what}</b>
        <p className={kit.quiet}>
          {until && <>{t.rich("nextDay", { time: () => <Time at={until} /> })} </>}
          {advice}
        </p>
      </div>
      <Group gap={4}>
        <Button variant="subtle" color="gray" onClick={onShow}>
          {t("show")}
        </Button>
        {mayEdit && (state === "failed" || state === "uncertain") && (
          <RetryButton
            label={t("sendAgain", { n: mails })}
            mails={mails}
            variant="default"
            retry={() => client.mails.retryReason.mutate({ newsletterId, state, code })}
            {...(mails > 1 && { of: { state, code } })}
            {...(state === "uncertain" && { recipient: "some" as const })}
          />
        )}
      </Group>
    </li>
  );
}
