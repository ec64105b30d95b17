import { Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { suppressionSentences } from "@/server/suppressions/schema/suppression-messages";
import { useViewer } from "../shell/viewer";
import { fromServer } from "../texts/server-sentences";
import { api, type Outputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import { notify } from "../ui/notify";

export type ListedSuppression = Outputs["suppressions"]["page"]["items"][number];

type Props = { suppression: ListedSuppression; onClose(): void };

/** Lifts a suppression and asks for a reason, which the audit log stores. */
export default function RemoveSuppression({ suppression, onClose }: Props) {
  const t = useTranslations("suppressions.lift");
  const { newsletterId } = useViewer();
  const [why, setWhy] = useState("");
  const { id, email, reason } = suppression;
  const remove = api.suppressions.remove.useMutation({
    onSuccess: () => notify(email === null ? t("doneErased") : t("done", { email })),
  });
  return (
    <Confirm
      title={email === null ? t("titleErased") : t("title", { email })}
      action={t("action")}
      danger
      disabled={why.trim() === ""}
      onConfirm={() => remove.mutateAsync({ newsletterId, id, why })}
      onClose={onClose}
    >
      <p>{fromServer(suppressionSentences[reason])}</p>
      <p>{t("consequence")}</p>
      <Textarea
        label={t("why")}
        description={t("whyHint")}
        maxLength={500}
        minRows={2}
        value={why}
        onChange={(event) => setWhy(event.currentTarget.value)}
        data-autofocus
      />
    </Confirm>
  );
}
