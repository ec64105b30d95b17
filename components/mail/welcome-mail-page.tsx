"use client";
import { useTranslations } from "use-intl";
import { LeaveGuard } from "../shell/leave-guard";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { ListPage } from "../ui/list-page";
import { BackToMails } from "./confirmation-mail-page";
import { WelcomeMailForm } from "./welcome-mail-form";

/** Edits a newsletter's welcome email, beside a preview. */
export function WelcomeMailPage() {
  const t = useTranslations("mails.welcome");
  const { newsletterId } = useViewer();
  const query = api.mails.welcome.get.useQuery({ newsletterId });
  return (
    <ListPage title={t("title")} query={query} tools={<BackToMails />} footer={<LeaveGuard />}>
      {(welcome) => <WelcomeMailForm key={newsletterId} welcome={welcome} />}
    </ListPage>
  );
}
