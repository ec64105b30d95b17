import { Button, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { useLocale, useTranslations } from "use-intl";
import type { OpenMailing } from "@/server/mail/schema/mailings";
import styles from "../bulk-actions/bulk-actions.module.css";
import { useViewer } from "../shell/viewer";
import { bold } from "../texts/bold";
import { api } from "../trpc";
import { notify, notifyError } from "../ui/notify";
import { delayText, nounOf } from "./mailing-words";

const POLL_OPEN_MS = 1_000;
const POLL_IDLE_MS = 10_000;

/** A mailing, and its sending time by this browser's clock. */
type Leaving = OpenMailing & { at: number };

/** Mailings that can still be cancelled. Mailings past their time limit are excluded. */
export function useOpenMailings(): Leaving[] {
  const { newsletterId } = useViewer();
  const { data = [], dataUpdatedAt } = api.mailings.open.useQuery(
    { newsletterId },
    { refetchInterval: ({ state }) => (state.data?.length ? POLL_OPEN_MS : POLL_IDLE_MS) },
  );
  const [now, setNow] = useState(0);
  const any = data.length > 0;
  useEffect(() => {
    if (!any) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [any]);
  return data
    .map((mailing) => ({ ...mailing, at: dataUpdatedAt + mailing.dueInMs }))
    .filter(({ at, mails }) => mails > 0 && at > now);
}

/** Emails that are about to be sent, with a button that cancels all of them. */
export function LeavingMails({ mailing: { id, kind, mails, by, at } }: { mailing: Leaving }) {
  const t = useTranslations("mails.leaving");
  const language = useLocale();
  const { newsletterId, mayEdit, sends } = useViewer();
  const cancel = api.mailings.cancel.useMutation({
    onSuccess: (done) => notify(t(`cancelled.${done.kind}`, { n: done.mails })),
    onError: notifyError,
  });
  const noun = nounOf(kind);
  const seconds = Math.max(1, Math.ceil((at - Date.now()) / 1000));
  const values = {
    n: mails,
    delay: delayText(seconds, language),
    b: bold,
  };
  return (
    <div className={styles.action}>
      <p>
        {sends ? t.rich(`sent.${noun}`, values) : t.rich(`stored.${noun}`, values)}
        {by && (
          <Text component="span" fz="sm" c="dimmed">
            {" "}
            {t("by", { name: by })}
          </Text>
        )}
      </p>
      {mayEdit && (
        <Button
          mt="xs"
          fullWidth
          h="auto"
          py={6}
          styles={{ label: { whiteSpace: "normal" } }}
          loading={cancel.isPending}
          onClick={() => cancel.mutate({ newsletterId, id })}
        >
          {t(`cancel.${noun}`, { n: mails })}
        </Button>
      )}
    </div>
  );
}
