"use client";
import { Button, Group } from "@mantine/core";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { newsletterGraveDays } from "@/server/contract/spans";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { Confirm } from "../ui/confirm";
import kit from "../ui/kit.module.css";
import { notify } from "../ui/notify";
import { people } from "../ui/numbers";

/** Archives or deletes the newsletter; what is closed is brought back at the top of each page. */
export function CloseNewsletter() {
  const { newsletter, newsletters, isOwner } = useViewer();
  const [asking, setAsking] = useState<"archive" | "delete" | null>(null);
  const isLast = !newsletters.some(({ id, removeAt }) => id !== newsletter.id && removeAt === null);
  if (newsletter.removeAt !== null)
    return (
      <p className={kit.quiet}>
        It is deleted. The banner at the top of this page shows until when you can restore it.
      </p>
    );
  return (
    <>
      <p className={kit.quiet}>
        Archiving makes a newsletter read-only and stops its emails. A deleted newsletter is archived for{" "}
        {newsletterGraveDays} days, then removed with all its people.
      </p>
      {isOwner ? (
        <Group gap="xs" mt="sm">
          {newsletter.archivedAt === null && (
            <Button variant="default" onClick={() => setAsking("archive")}>
              Archive …
            </Button>
          )}
          <Button variant="default" color="red" disabled={isLast} onClick={() => setAsking("delete")}>
            Delete …
          </Button>
        </Group>
      ) : (
        <p className={kit.quiet}>Only owners can do this.</p>
      )}
      {isOwner && isLast && (
        <p className={kit.quiet}>
          This is the account’s only newsletter. Create another one before you delete it.
        </p>
      )}
      {asking === "archive" && <Archive onClose={() => setAsking(null)} />}
      {asking === "delete" && <Delete onClose={() => setAsking(null)} />}
    </>
  );
}

/** The frame around the page says what is archived, so that it is read again. */
function useClosed(onClose: () => void) {
  const router = useRouter();
  return (message: string) => {
    onClose();
    notify(message);
    router.refresh();
  };
}

function Archive({ onClose }: { onClose(): void }) {
  const { newsletterId, newsletter } = useViewer();
  const closed = useClosed(onClose);
  const archive = api.newsletters.archive.useMutation({
    onSuccess: () => closed(`${newsletter.name} archived.`),
  });
  return (
    <Confirm
      title={`Archive ${newsletter.name}?`}
      action="Archive newsletter"
      busy={archive.isPending}
      error={archive.error}
      onConfirm={() => archive.mutate({ newsletterId })}
      onClose={onClose}
    >
      <p>Its sign-up page closes, its API keys stop working, and queued emails are cancelled.</p>
      <p>
        You can still view and export its people. Their unsubscribe links keep working. An owner can restore
        the newsletter at any time.
      </p>
    </Confirm>
  );
}

function Delete({ onClose }: { onClose(): void }) {
  const { newsletterId, newsletter } = useViewer();
  const { name } = newsletter;
  const closed = useClosed(onClose);
  const counts = api.people.counts.useQuery({ newsletterId });
  const remove = api.newsletters.delete.useMutation({
    onSuccess: () => closed(`${name} deleted. You can restore it for ${newsletterGraveDays} days.`),
  });
  const everybody = counts.data && Object.values(counts.data).reduce((sum, n) => sum + n, 0);
  return (
    <Confirm
      title={`Delete ${name}?`}
      action="Delete newsletter"
      danger
      typed={name}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ newsletterId, name })}
      onClose={onClose}
    >
      <p>
        It becomes read-only and sends no email. In {newsletterGraveDays} days it is deleted permanently, with{" "}
        {everybody === undefined ? "its people" : people(everybody)} and all their data. All owners receive a
        notice by email.
      </p>
      <p>Opt-outs are deleted, too. Export the people first if another list needs its opt-outs.</p>
    </Confirm>
  );
}
