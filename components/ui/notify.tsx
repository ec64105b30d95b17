import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useTranslations } from "use-intl";
import { rejectionOf } from "../trpc";

const options = { withBorder: true };

/** A component, because only the rendered notification is inside the texts' provider. */
function UndoButton({ onClick }: { onClick(): void }) {
  const t = useTranslations("ui.verbs");
  return (
    <Button variant="default" size="compact-sm" onClick={onClick}>
      {t("undo")}
    </Button>
  );
}

/** Shows a success message. Screen readers announce it, and it disappears by itself. */
export function notify(message: string): void {
  notifications.show({ ...options, message });
}

/** Options of a mutation that reports its success, or its error. */
export const notifying = (message: string) => ({ onSuccess: () => notify(message), onError: notifyError });

/** Shows a message until the result arrives. @returns hides the message, or updates it with progress */
export function notifyRunning(message: string): { update(message: string): void; hide(): void } {
  const shown = { ...options, loading: true, autoClose: false } as const;
  const id = notifications.show({ ...shown, message });
  return {
    update: (text) => notifications.update({ ...shown, id, message: text }),
    hide: () => notifications.hide(id),
  };
}

type Undoable = { message: string; undo(): void };

let undoable: Undoable | null = null;

/** The action whose message offers an undo. ⌘Z and ⌘K undo it while the message is shown. */
export const shownUndoable = () => undoable;

/** Shows a message with an undo button, long enough to decide. */
export function notifyUndoable(message: string, undo: () => void): void {
  const undoOnce = () => {
    notifications.hide(id);
    undo();
  };
  const mine = { message, undo: undoOnce };
  undoable = mine;
  const id = notifications.show({
    ...options,
    autoClose: 15_000,
    onClose: () => {
      if (undoable === mine) undoable = null;
    },
    message: (
      <Group component="span" justify="space-between" gap="xs">
        {message}
        <UndoButton onClick={undoOnce} />
      </Group>
    ),
  });
}

/** Shows the reason for a failed action, for longer than a success message. */
export function notifyError(error: unknown): void {
  notifications.show({ ...options, message: rejectionOf(error).message, color: "red", autoClose: 12_000 });
}
