"use client";
import { useTranslations } from "use-intl";
import { LeaveGuard } from "../shell/leave-guard";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { ListPage } from "../ui/list-page";
import { BackToMails } from "./confirmation-mail-page";
import { WelcomeMailForm } from "./welcome-mail-form";

/** The wording of a newsletter's welcome, beside the mail as it will look. */
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
