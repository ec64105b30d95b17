"use client";
import { Button, Group } from "@mantine/core";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import kit from "../ui/kit.module.css";
import { count } from "../ui/numbers";
import { Time } from "../ui/time";
import { budgetGroupOf, describeIssue, type MailIssue } from "./mail-issue-text";
import styles from "./mails.module.css";
import { ReleaseButton } from "./release-button";
import { RetryButton } from "./retry-button";

/** What waits for somebody to act; the other issues end by themselves. */
const isUrgent = (issue: MailIssue) =>
  ["failed", "uncertain", "bounced"].includes(issue.state) || budgetGroupOf(issue) !== null;

/** What keeps mails from arriving, each reason once, with what to do about it. Nothing when all is well. */
export function MailIssues({ onShow }: { onShow(state: MailIssue["state"]): void }) {
  const { newsletterId } = useViewer();
  const { data: issues = [] } = api.mails.issues.useQuery({ newsletterId });
  if (issues.length === 0) return null;
  return (
    <ul className={`${kit.rows} ${styles.issues}`} aria-label="Needs attention">
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
  const { newsletterId, mayEdit } = useViewer();
  const { client } = api.useUtils();
  const { what, advice } = describeIssue(issue);
  const { state, code, mails } = issue;
  const waitsFor = budgetGroupOf(issue);

  return (
    <li data-urgent={isUrgent(issue) || undefined}>
      <div className={kit.entry}>
        <b>{what}</b>
        <p className={kit.quiet}>
          {issue.until && (
            <>
              The next day starts <Time at={issue.until} />.{" "}
            </>
          )}
          {advice}
        </p>
      </div>
      <Group gap={4}>
        <Button variant="subtle" color="gray" onClick={onShow}>
          Show
        </Button>
        {mayEdit && waitsFor && <ReleaseButton group={waitsFor} mails={mails} />}
        {mayEdit && (state === "failed" || state === "uncertain") && (
          <RetryButton
            label={`Send ${count(mails)} again`}
            mails={mails}
            variant="default"
            retry={() => client.mails.retryReason.mutate({ newsletterId, state, code })}
            {...(mails > 1 && { of: { state, code } })}
            {...(state === "uncertain" && { recipient: "some people" })}
          />
        )}
      </Group>
    </li>
  );
}
