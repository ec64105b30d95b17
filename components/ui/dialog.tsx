import { Modal, type ModalProps } from "@mantine/core";
import { useEffect, useState } from "react";

/** A dialog that is open while mounted. Mantine returns the focus only from a dialog that it closes itself. */
export function Dialog(props: Omit<ModalProps, "opened">) {
  const [opener] = useState(focusedButton);
  useEffect(
    () => () => {
      setTimeout(() => returnFocus(opener));
    },
    [opener],
  );
  // The header gets no banner role: the page already has a banner on narrow screens.
  return <Modal opened attributes={{ header: { role: "presentation" } }} {...props} />;
}

/** Returns the focused button; for a menu item, the menu's button. */
function focusedButton(): HTMLElement | null {
  const focused = document.activeElement as HTMLElement | null;
  const menu = focused?.closest("[role=menu]");
  return menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : focused;
}

/** Skips when the focus has moved or another dialog takes it. If the opener is gone, it focuses the page's content. */
function returnFocus(opener: HTMLElement | null): void {
  if (document.activeElement !== document.body || document.querySelector("[role=dialog]")) return;
  (opener?.isConnected ? opener : document.getElementById("content"))?.focus();
}
