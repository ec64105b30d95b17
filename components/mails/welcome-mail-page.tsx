"use client";
import { LeaveGuard } from "../shell/leave-guard";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { ListPage } from "../ui/list-page";
import { BackToMails } from "./confirmation-mail-page";
import { WelcomeMailForm } from "./welcome-mail-form";

/** The wording of a newsletter's welcome, beside the mail as it will look. */
export function WelcomeMailPage() {
  const { newsletterId } = useViewer();
  const query = api.mails.welcome.get.useQuery({ newsletterId });
  return (
    <ListPage title="Welcome email" query={query} tools={<BackToMails />} footer={<LeaveGuard />}>
      {(welcome) => <WelcomeMailForm key={newsletterId} welcome={welcome} />}
    </ListPage>
  );
}
