import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useLocale, useTranslations } from "use-intl";
import type { MailingKind } from "@/server/mail/schema/mailings";
import { describeSkipped } from "../bulk-actions/summary";
import { useViewer } from "../shell/viewer";
import { api, type Inputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import { delayText, recipientsText } from "./mailing-words";

type Props = {
  kind: MailingKind;
  /** The recipients, or their source. */
  of: Inputs["mailings"]["preview"]["of"];
  /** The name of the selected segment. */
  segment?: string | null;
  /** Number of people that an import adds. */
  added?: number;
  /** The page that lists the recipients, if one exists. */
  listHref?: string;
  /** Reasons for further people without an email. */
  others?: string[];
  /** Further information above the question. */
  children?: ReactNode;
  /** Receives the number of emails that the question stated. May return a promise, as for <Confirm>. */
  onConfirm(mails: number): unknown;
  onClose(): void;
};

/** Asks before emails to several people: their number, recipients, skipped people with reasons, and sending time. */
export function MailingQuestion({ kind, of, listHref, others = [], children, ...rest }: Props) {
  const t = useTranslations("mails.question");
  const tSkipped = useTranslations("bulkActions.skipped");
  const language = useLocale();
  const { newsletterId, sends } = useViewer();
  const { segment = null, added = 0, onConfirm, onClose } = rest;
  const { client } = api.useUtils();
  const preview = useQuery({
    queryKey: ["mailing preview", newsletterId, of],
    queryFn: () => client.mailings.preview.mutate({ newsletterId, of }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const { mails = 0, atMost = false, skipped = {}, delaySeconds = 0 } = preview.data ?? {};
  const nobody = preview.data !== undefined && mails === 0;
  const numbers = { n: mails, atMost: atMost ? "yes" : "no", added };

  const counted = (text: string, textForNobody: string) =>
    preview.data ? (nobody ? textForNobody : text) : t("counting");
  const action = counted(t(`action.${kind}`, numbers), t("nobodyAction"));
  const question = segment === null ? t("title", { action }) : t("titleOfSegment", { ...numbers, segment });
  const delay = delayText(delaySeconds, language);
  const sending = delaySeconds === 0 ? t("sentNow") : t("sentLater", { delay });

  const reasons = [...others, ...describeSkipped(skipped, tSkipped)];
  return (
    <Confirm
      title={counted(question, t("nobodyTitle"))}
      action={action}
      busy={preview.isPending}
      disabled={nobody || preview.isError}
      error={preview.error}
      onConfirm={() => onConfirm(mails)}
      onClose={onClose}
    >
      {preview.data && mails > 0 && (
        <p>
          {t("to", { names: recipientsText(t, preview.data, language) })}{" "}
          {listHref && (
            <Anchor href={listHref} target="_blank" fz="inherit" underline="always">
              {t("seeList")}
            </Anchor>
          )}
        </p>
      )}
      {preview.data && reasons.length > 0 && (
        <div>
          <p>{mails > 0 ? t("notToOthers") : t("notToAny")}</p>
          <ul>
            {reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </div>
      )}
      {atMost && <p>{t("recentAreSkipped")}</p>}
      {children}
      {mails > 0 && <p>{sends ? sending : t("stored")}</p>}
    </Confirm>
  );
}
