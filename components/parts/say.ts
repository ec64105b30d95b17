import { notifications } from "@mantine/notifications";
import { refusalOf } from "../api";

/** Says that something was done; read out, gone by itself. */
export function say(message: string): void {
  notifications.show({ message, withBorder: true, closeButtonProps: { "aria-label": "Dismiss" } });
}

/** Says why something was not done; stays longer. */
export function sayWhyNot(error: unknown): void {
  notifications.show({
    message: refusalOf(error).message,
    color: "red",
    withBorder: true,
    autoClose: 12_000,
    closeButtonProps: { "aria-label": "Dismiss" },
  });
}
