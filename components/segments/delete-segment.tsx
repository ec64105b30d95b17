"use client";
import type { SavedSegment } from "@/server/contract/segments";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { Confirm } from "../ui/confirm";
import { notify } from "../ui/notify";

type Props = { segment: SavedSegment; onDeleted(): void; onClose(): void };

export default function DeleteSegment({ segment: { id, name }, onDeleted, onClose }: Props) {
  const { newsletterId } = useViewer();
  const utils = api.useUtils();
  const remove = api.segments.remove.useMutation({
    // The list asks for the segment until the page has left it: nothing is read again before that.
    meta: { changesNothing: true },
    onSuccess() {
      notify(`Segment ${name} deleted.`);
      onDeleted();
      onClose();
      setTimeout(() => utils.invalidate());
    },
  });
  return (
    <Confirm
      title={`Delete the segment ${name}?`}
      action="Delete 1 segment"
      danger
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ newsletterId, id })}
      onClose={onClose}
    >
      <p>
        Its conditions, order and columns are deleted for everyone. This cannot be undone. The people in it
        stay on the list.
      </p>
    </Confirm>
  );
}
