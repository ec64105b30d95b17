import type { ModalProps } from "@mantine/core";
import { useEffect, useState } from "react";
import { api, rejectionOf } from "../trpc";
import { onDemand } from "./on-demand";

// The modal weighs 25 kB, and most visits open none.
const Modal = onDemand<ModalProps>(() => import("./modal"), { isNear: true, texts: [] });

/** The open dialogs, the top one last. */
const layers: symbol[] = [];

/** @returns whether a dialog is the top one. Esc closes only that one. */
export function useIsTop(opened: boolean): () => boolean {
  const [layer] = useState(() => Symbol());
  useEffect(() => {
    if (!opened) return;
    layers.push(layer);
    // The timeout keeps the key that closes this dialog from the dialog below.
    return () => void setTimeout(() => layers.splice(layers.indexOf(layer), 1));
  }, [opened, layer]);
  return () => layers.at(-1) === layer;
}

type Props = Omit<ModalProps, "opened"> & {
  /** The dialog's action requires a recent sign-in. Staff sign in again before they fill the dialog in. */
  guarded?: boolean;
};

/** A dialog that is open while mounted. Mantine returns the focus only from a dialog that it closes itself. */
export function Dialog({ guarded = false, onClose, ...props }: Props) {
  const [opener] = useState(focusedButton);
  const isTop = useIsTop(true);
  const { client } = api.useUtils();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as it opens
  useEffect(() => {
    if (!guarded) return;
    client.own.checkRecentSignIn.query().catch((error) => {
      if (rejectionOf(error).code === "sign_in_again") onClose();
    });
  }, []);
  useEffect(
    () => () => {
      setTimeout(() => returnFocus(opener));
    },
    [opener],
  );
  // The header gets no banner role: the page already has a banner on narrow screens.
  return (
    <Modal
      opened
      attributes={{ header: { role: "presentation" } }}
      onClose={() => isTop() && onClose()}
      {...props}
    />
  );
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
