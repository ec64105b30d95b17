"use client";
import { Button } from "@mantine/core";
import Link from "next/link";
import { useTranslations } from "use-intl";
import { LeaveGuard } from "../shell/leave-guard";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { icons } from "../ui/icons";
import { ListPage } from "../ui/list-page";
import { ConfirmationMailForm } from "./confirmation-mail-form";

/** Edits a newsletter's confirmation email, beside a preview. */
export function ConfirmationMailPage() {
  const t = useTranslations("mails.confirmation");
  const { newsletterId } = useViewer();
  const query = api.mails.words.useQuery({ newsletterId });
  return (
    <ListPage title={t("title")} query={query} tools={<BackToMails />} footer={<LeaveGuard />}>
      {(wording) => <ConfirmationMailForm key={newsletterId} wording={wording} />}
    </ListPage>
  );
}

export function BackToMails() {
  const t = useTranslations("mails.page");
  const { newsletterId } = useViewer();
  return (
    <Button
      component={Link}
      href={`/n/${newsletterId}/mails`}
      variant="subtle"
      color="gray"
      size="compact-sm"
      leftSection={<icons.left />}
      ml={-8}
      mb="md"
    >
      {t("title")}
    </Button>
  );
}
