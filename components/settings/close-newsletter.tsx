"use client";
import { Button, Group } from "@mantine/core";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { newsletterRestoreDays } from "@/server/kernel/durations";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { Confirm } from "../ui/confirm";
import kit from "../ui/kit.module.css";
import { notify } from "../ui/notify";

/** Archives or deletes the newsletter. The notice at the top of each page reverses this. */
export function CloseNewsletter() {
  const t = useTranslations("settings.close");
  const { newsletter, newsletters, isOwner } = useViewer();
  const [asking, setAsking] = useState<"archive" | "delete" | null>(null);
  const isLast = !newsletters.some(({ id, removeAt }) => id !== newsletter.id && removeAt === null);
  if (newsletter.removeAt !== null) return <p className={kit.quiet}>{t("isDeleted")}</p>;
  return (
    <>
      <p className={kit.quiet}>{t("intro", { days: newsletterRestoreDays })}</p>
      {isOwner ? (
        <Group gap="xs" mt="sm">
          {newsletter.archivedAt === null && (
            <Button variant="default" onClick={() => setAsking("archive")}>
              {t("archive")}
            </Button>
          )}
          <Button variant="default" color="red" disabled={isLast} onClick={() => setAsking("delete")}>
            {t("delete")}
          </Button>
        </Group>
      ) : (
        <p className={kit.quiet}>{t("ownersOnly")}</p>
      )}
      {isOwner && isLast && <p className={kit.quiet}>{t("onlyNewsletter")}</p>}
      {asking === "archive" && <Archive onClose={() => setAsking(null)} />}
      {asking === "delete" && <Delete onClose={() => setAsking(null)} />}
    </>
  );
}

function Archive({ onClose }: { onClose(): void }) {
  const t = useTranslations("settings.close.archiving");
  const { newsletterId, newsletter } = useViewer();
  const router = useRouter();
  const { name } = newsletter;
  const { mutateAsync } = api.newsletters.archive.useMutation();
  const archive = async () => {
    await mutateAsync({ newsletterId });
    notify(t("done", { name }));
    // The frame around the page shows the archived state.
    router.refresh();
  };
  return (
    <Confirm title={t("title", { name })} action={t("action")} onConfirm={archive} onClose={onClose}>
      <p>{t("consequences")}</p>
      <p>{t("whatStays")}</p>
    </Confirm>
  );
}

function Delete({ onClose }: { onClose(): void }) {
  const t = useTranslations("settings.close.deleting");
  const { newsletterId, newsletter } = useViewer();
  const router = useRouter();
  const { name } = newsletter;
  const days = newsletterRestoreDays;
  const counts = api.people.counts.useQuery({ newsletterId });
  const { mutateAsync } = api.newsletters.delete.useMutation();
  const remove = async () => {
    await mutateAsync({ newsletterId, name });
    notify(t("done", { name, days }));
    router.refresh();
  };
  const everybody = counts.data && Object.values(counts.data).reduce((sum, n) => sum + n, 0);
  return (
    <Confirm
      title={t("title", { name })}
      action={t("action")}
      danger
      typed={name}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>
        {everybody === undefined
          ? t("consequences", { days })
          : t("consequencesCounted", { days, people: everybody })}
      </p>
      <p>{t("optOuts")}</p>
    </Confirm>
  );
}
