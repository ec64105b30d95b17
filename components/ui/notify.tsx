import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { rejectionOf } from "../trpc";

const options = { withBorder: true, closeButtonProps: { "aria-label": "Dismiss" } };

/** A message that something was done; it is read out and disappears by itself. */
export function notify(message: string): void {
  notifications.show({ ...options, message });
}

/** A message that something is being done, which stays until the result comes. @returns what takes it away then */
export function notifyRunning(message: string): () => void {
  const id = notifications.show({ ...options, message, loading: true, autoClose: false });
  return () => notifications.hide(id);
}

/** A message with an undo; it stays long enough to think about it. */
export function notifyUndoable(message: string, undo: () => void): void {
  const id = notifications.show({
    ...options,
    autoClose: 15_000,
    message: (
      <Group component="span" justify="space-between" gap="xs">
        {message}
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => {
            notifications.hide(id);
            undo();
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  });
}

/** Why something was not done; it stays longer. */
export function notifyError(error: unknown): void {
  notifications.show({ ...options, message: rejectionOf(error).message, color: "red", autoClose: 12_000 });
}
