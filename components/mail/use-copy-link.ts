import { useTranslations } from "use-intl";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { useCopyText } from "../ui/copy";
import { notifyError } from "../ui/notify";

/** Copies the link of a confirmation email that was only logged. */
export function useCopyLink(): (mailId: string) => void {
  const t = useTranslations("mails.panel");
  const { newsletterId } = useViewer();
  const copyText = useCopyText();
  const read = api.mails.readLink.useMutation({
    onSuccess: ({ url }) => copyText(url, t("linkCopied")),
    onError: notifyError,
  });
  return (id) => read.mutate({ newsletterId, id });
}
