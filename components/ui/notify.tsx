import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { rejectionOf } from "../trpc";
import styles from "./parts.module.css";

const closeButtonProps = { "aria-label": "Dismiss" };

/** Says that something was done; read out, gone by itself. */
export function notify(message: string): void {
  notifications.show({ message, withBorder: true, closeButtonProps });
}

/** Says that something was done that can be taken back; stays long enough to think about it. */
export function notifyUndoable(message: string, undo: () => void): void {
  const id = notifications.show({
    withBorder: true,
    autoClose: 15_000,
    closeButtonProps,
    message: (
      <span className={styles.undoable}>
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
      </span>
    ),
  });
}

/** Says why something was not done; stays longer. */
export function notifyError(error: unknown): void {
  notifications.show({
    message: rejectionOf(error).message,
    color: "red",
    withBorder: true,
    autoClose: 12_000,
    closeButtonProps,
  });
}
