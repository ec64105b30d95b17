import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import type { RetryableState } from "@/server/mail/schema/mail-states";
import { useViewer } from "../shell/viewer";
import { Confirm } from "../ui/confirm";
import { notify, notifyError } from "../ui/notify";
import { describeRetry } from "./mail-issue-text";
import { MailingQuestion } from "./mailing-question";

type Props = {
  label: string;
  mails: number;
  variant?: "default" | "filled";
  /** For several emails: their failure. */
  of?: { state: RetryableState; code: string | null };
  /**
   * Set when the first emails may have arrived: the people who may get two, with "some" for several. Then a question
   * comes before sending.
   */
  recipient?: { email: string } | "some";
  retry(): Promise<{ sent: number; closed: number }>;
};

export function RetryButton({ label, mails, variant = "filled", of, recipient, retry }: Props) {
  const t = useTranslations("mails.retry");
  const { newsletterId, sends } = useViewer();
  const [asking, setAsking] = useState(false);
  const retrying = useMutation({
    mutationFn: retry,
    onSuccess: (result) => {
      if (result.sent + result.closed > 0) notify(describeRetry(t, result, sends));
    },
  });
  return (
    <>
      <Button
        variant={variant}
        loading={retrying.isPending && !asking}
        onClick={() => (recipient || of ? setAsking(true) : retrying.mutateAsync().catch(notifyError))}
      >
        {label}
      </Button>
      {asking && of && (
        <MailingQuestion
          kind="retry"
          of={of}
          listHref={`/n/${newsletterId}/mails?state=${of.state}`}
          onConfirm={() => retrying.mutateAsync()}
          onClose={() => setAsking(false)}
        >
          {recipient && <MayGetTwo recipient={recipient} />}
        </MailingQuestion>
      )}
      {asking && !of && recipient && (
        <Confirm
          title={t("title", { n: mails })}
          action={t("action", { n: mails })}
          onConfirm={() => retrying.mutateAsync()}
          onClose={() => setAsking(false)}
        >
          <MayGetTwo recipient={recipient} />
        </Confirm>
      )}
    </>
  );
}

function MayGetTwo({ recipient }: { recipient: { email: string } | "some" }) {
  const t = useTranslations("mails.retry");
  return (
    <>
      <p>{recipient === "some" ? t("someMayGetTwo") : t("mayGetTwo", recipient)}</p>
      <p>{t("onlyPending")}</p>
    </>
  );
}
