"use client";
import { Textarea } from "@mantine/core";
import { useState } from "react";
import { suppressionSentences } from "@/server/contract/suppressions";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import { notify } from "../ui/notify";

export type ListedSuppression = Outputs["suppressions"]["page"]["items"][number];

export const ERASED = "erased or changed address";

type Props = { suppression: ListedSuppression; onClose(): void };

/** Lifts a suppression, and asks why: the audit log keeps it. */
export default function RemoveSuppression({ suppression, onClose }: Props) {
  const { newsletterId } = useViewer();
  const [why, setWhy] = useState("");
  const { id, email, reason } = suppression;
  const name = email ?? `The ${ERASED}`;
  const remove = api.suppressions.remove.useMutation({
    onSuccess: () => {
      notify(`${name} can be added and receive email again.`);
      onClose();
    },
  });
  return (
    <Confirm
      title={`Let ${email ?? `an ${ERASED}`} receive email again?`}
      action="Lift 1 suppression"
      danger
      busy={remove.isPending}
      disabled={why.trim() === ""}
      error={remove.error}
      onConfirm={() => remove.mutate({ newsletterId, id, why })}
      onClose={onClose}
    >
      <p>{suppressionSentences[reason]}</p>
      <p>No one is added to the list. The address can then be added like any other.</p>
      <Textarea
        label="Why"
        description="Stored in the audit log."
        maxLength={500}
        autosize
        minRows={2}
        value={why}
        onChange={(event) => setWhy(event.currentTarget.value)}
        data-autofocus
      />
    </Confirm>
  );
}
