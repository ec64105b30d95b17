import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useTranslations } from "use-intl";
import { rejectionOf } from "../trpc";

const options = { withBorder: true };

/** A message's button. Notifications are shown inside the texts' provider, though they are made outside of it. */
function MessageButton({ name, onClick }: { name: "stop" | "undo"; onClick(): void }) {
  const t = useTranslations("ui");
  return (
    <Button variant="default" size="compact-sm" onClick={onClick}>
      {t(`notification.buttons.${name}`)}
    </Button>
  );
}

/** A message that something was done; it is read out and disappears by itself. */
export function notify(message: string): void {
  notifications.show({ ...options, message });
}

/** A message that something is being done, which stays until the result comes. @returns what takes it away then */
export function notifyRunning(message: string): () => void {
  const id = notifications.show({ ...options, message, loading: true, autoClose: false });
  return () => notifications.hide(id);
}

/** A message of something under way that takes its time, with a button that stops it. */
export function notifyStoppable(message: string): {
  /** Says how far it is. @returns false when it is to stop */
  say(message: string): boolean;
  hide(): void;
} {
  let stopped = false;
  const shown = (text: string) => ({
    ...options,
    loading: true,
    autoClose: false as const,
    withCloseButton: false,
    message: (
      <Group component="span" justify="space-between" gap="xs">
        {text}
        <MessageButton
          name="stop"
          onClick={() => {
            stopped = true;
          }}
        />
      </Group>
    ),
  });
  const id = notifications.show(shown(message));
  return {
    say(text) {
      if (!stopped) notifications.update({ ...shown(text), id });
      return !stopped;
    },
    hide: () => notifications.hide(id),
  };
}

type Undoable = { message: string; until: number; undo(): void };

/** As long as staff remember what they did; after that ⌘Z would undo what nobody thinks of. */
const UNDO_BY_KEY_MS = 10 * 60_000;
let undoable: Undoable | null = null;

/** What ⌘Z undoes: what was done last, for some minutes. */
export const lastUndoable = () => (undoable && undoable.until > Date.now() ? undoable : null);

/** Lets ⌘Z undo this. @param doneAt milliseconds, as of Date.now() @returns forgets it */
export function rememberUndo(message: string, undo: () => void, doneAt = Date.now()): () => void {
  const mine = { message, until: doneAt + UNDO_BY_KEY_MS, undo };
  undoable = mine;
  return () => {
    if (undoable === mine) undoable = null;
  };
}

/** A message with an undo; it stays long enough to think about it. */
export function notifyUndoable(message: string, undo: () => void): void {
  const undoOnce = () => {
    forget();
    notifications.hide(id);
    undo();
  };
  const forget = rememberUndo(message, undoOnce);
  const id = notifications.show({
    ...options,
    autoClose: 15_000,
    message: (
      <Group component="span" justify="space-between" gap="xs">
        {message}
        <MessageButton name="undo" onClick={undoOnce} />
      </Group>
    ),
  });
}

/** Why something was not done; it stays longer. */
export function notifyError(error: unknown): void {
  notifications.show({ ...options, message: rejectionOf(error).message, color: "red", autoClose: 12_000 });
}
