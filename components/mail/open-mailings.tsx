import { Button, Text } from "@mantine/core";
import { useLocale, useTranslations } from "use-intl";
import type { OpenMailing } from "@/server/mail/schema/mailings";
import styles from "../bulk-actions/bulk-actions.module.css";
import { useViewer } from "../shell/viewer";
import { bold } from "../texts/bold";
import { api } from "../trpc";
import { notify, notifyError } from "../ui/notify";
import { delayText, nounOf } from "./mailing-words";

/** A mailing, and its sending time by this browser's clock. */
export type LeavingMailing = OpenMailing & { at: number };

/** Emails that are about to be sent, with a button that cancels all of them. */
export function LeavingMails({ mailing: { id, kind, mails, by, at } }: { mailing: LeavingMailing }) {
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
          // These emails leave the list a moment after the answer. Until then, a second click would fail.
          loading={cancel.isPending || cancel.isSuccess}
          onClick={() => cancel.mutate({ newsletterId, id })}
        >
          {t(`cancel.${noun}`, { n: mails })}
        </Button>
      )}
    </div>
  );
}
