import { useTranslations } from "use-intl";
import { Confirm } from "../ui/confirm";
import { useStored } from "../ui/store";
import { forgetUnsaved, leaving } from "../ui/unsaved";

/** The question before unsaved changes are lost. */
export default function LeaveQuestion() {
  const t = useTranslations("shell.leave");
  const go = useStored(leaving);
  if (!go) return null;
  const answer = (isLeaving: boolean) => {
    leaving.set(null);
    if (!isLeaving) return;
    forgetUnsaved();
    go();
  };
  return (
    <Confirm
      title={t("title")}
      action={t("leave")}
      cancel={t("stay")}
      danger
      onConfirm={() => answer(true)}
      onClose={() => answer(false)}
    >
      <p>{t("text")}</p>
    </Confirm>
  );
}
