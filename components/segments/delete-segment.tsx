import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import type { SavedSegment } from "@/server/subscribers/schema/segments";
import { useViewer } from "../shell/viewer";
import { api, fetchAgain } from "../trpc";
import { Confirm } from "../ui/confirm";
import { notify } from "../ui/notify";

type Props = { segment: SavedSegment; onDeleted(): void; onClose(): void };

export default function DeleteSegment({ segment: { id, name }, onDeleted, onClose }: Props) {
  const t = useTranslations("segments.deletion");
  const { newsletterId } = useViewer();
  const client = useQueryClient();
  const remove = api.segments.remove.useMutation({
    // The list queries the segment until the page leaves it. A refetch before that would find no segment.
    meta: { changesNothing: true },
    onSuccess() {
      notify(t("done", { name }));
      onDeleted();
      setTimeout(() => void fetchAgain(client));
    },
  });
  return (
    <Confirm
      title={t("title", { name })}
      action={t("action")}
      danger
      onConfirm={() => remove.mutateAsync({ newsletterId, id })}
      onClose={onClose}
    >
      <p>{t("text")}</p>
    </Confirm>
  );
}
