"use client";
import { Modal, type ModalProps } from "@mantine/core";
import { useEffect, useState } from "react";

/** A dialog that is open as long as it is mounted. Mantine returns the focus only from one that it closes itself. */
export function Dialog(props: Omit<ModalProps, "opened">) {
  const [opener] = useState(focusedButton);
  useEffect(
    () => () => {
      setTimeout(() => returnFocus(opener));
    },
    [opener],
  );
  // Its head is no banner of the page, of which there is one already where the window is narrow.
  return <Modal opened attributes={{ header: { role: "presentation" } }} {...props} />;
}

/** What was pressed; of a menu's item, the button of the menu. */
function focusedButton(): HTMLElement | null {
  const focused = document.activeElement as HTMLElement | null;
  const menu = focused?.closest("[role=menu]");
  return menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : focused;
}

/** Unless the focus is somewhere else by now, or another dialog takes it. What is gone leaves it to the page's content. */
function returnFocus(opener: HTMLElement | null): void {
  if (document.activeElement !== document.body || document.querySelector("[role=dialog]")) return;
  (opener?.isConnected ? opener : document.getElementById("content"))?.focus();
}
