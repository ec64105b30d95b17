"use client";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { notify, notifyError } from "../ui/notify";

/** Copies the link of a confirmation that was only logged. */
export function useCopyLink(): (mailId: string) => void {
  const { newsletterId } = useViewer();
  const read = api.mails.readLink.useMutation({
    onSuccess: async ({ url }) => {
      await navigator.clipboard.writeText(url);
      notify(
        "Link copied. If you use it, the activity shows you, not the person. It is not their confirmation.",
      );
    },
    onError: notifyError,
  });
  return (id) => read.mutate({ newsletterId, id });
}
