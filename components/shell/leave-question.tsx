import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { Confirm } from "../ui/confirm";
import { forgetUnsaved, setQuestion } from "../ui/unsaved";

/** The question before unsaved changes are lost. */
export default function LeaveQuestion() {
  const t = useTranslations("shell.leave");
  const [go, setGo] = useState<(() => void) | null>(null);
  useEffect(() => {
    setQuestion((next) => setGo(() => next));
    return () => setQuestion(null);
  }, []);
  if (!go) return null;
  const answer = (isLeaving: boolean) => {
    setGo(null);
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
