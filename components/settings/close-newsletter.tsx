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
      <p className={kit.quiet}>It is deleted. The top of this page says until when it can be brought back.</p>
    );
  return (
    <>
      <p className={kit.quiet}>
        An archived newsletter is kept as it is: nobody is added and no mail leaves. A deleted one is archived
        for {newsletterGraveDays} days, then removed with its people.
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
        <p className={kit.quiet}>Only owners do this.</p>
      )}
      {isOwner && isLast && (
        <p className={kit.quiet}>
          It is the account’s last newsletter. Make another one before you delete it.
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
    onSuccess: () => closed(`${newsletter.name} is archived.`),
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
      <p>Its sign-up page is closed, its API keys are refused, and mails that wait to leave are cancelled.</p>
      <p>
        Its people stay, can be looked at and exported, and their own links to unsubscribe still work. An
        owner can bring it back at any time.
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
    onSuccess: () => closed(`${name} is deleted. It can be brought back for ${newsletterGraveDays} days.`),
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
        It is archived at once: nobody is added, and no mail leaves. In {newsletterGraveDays} days it is
        removed for good, with {everybody === undefined ? "its people" : people(everybody)} and all that is
        kept of them. All owners get a mail that says so.
      </p>
      <p>
        Who unsubscribed is forgotten then, too. Export the people first if another list has to know them.
      </p>
    </Confirm>
  );
}
