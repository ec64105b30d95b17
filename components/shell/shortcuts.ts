import { useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import { useInBrowser } from "../ui/store";
import { leave } from "../ui/unsaved";

/** Actions by shortcut: "?", "/", "j", "g p" (one after the other), "mod+z" (⌘ or Ctrl). */
type Shortcuts = Record<string, () => void>;

const SEQUENCE_MS = 900;
const FIELDS = "input:not([type=checkbox]), textarea, select, [contenteditable], [role=menu], [role=listbox]";

/** Whether an input field or an open dialog handles the key. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.altKey || event.defaultPrevented) return true;
  if ((event.target as Element | null)?.closest(FIELDS)) return true;
  return document.querySelector('[role="dialog"][aria-modal="true"]') !== null;
}

/** The name of ⌘ or Ctrl on this keyboard, to be followed by a letter. The server assumes ⌘. */
export function useModKey(): string {
  const control = useTranslations("ui")("control");
  const isApple = useInBrowser(() => /^(Mac|iP)/.test(navigator.platform), true);
  return isApple ? "⌘" : `${control} `;
}

/**
 * Listens for single keys and pairs while the component is mounted.
 * @param other looks up the action of any other key when it is pressed
 */
export function useShortcuts(shortcuts: Shortcuts, other?: (key: string) => (() => void) | undefined): void {
  const current = useRef({ shortcuts, other });
  current.current = { shortcuts, other };
  useEffect(() => {
    let first = "";
    let at = 0;
    const onKey = (event: KeyboardEvent) => {
      if (isTaken(event)) return;
      const key = event.metaKey || event.ctrlKey ? `mod+${event.key.toLowerCase()}` : event.key;
      const pair = performance.now() - at < SEQUENCE_MS ? `${first} ${key}` : "";
      const known = current.current;
      const shortcut = known.shortcuts[pair] ?? known.shortcuts[key] ?? known.other?.(key);
      first = key;
      at = performance.now();
      if (!shortcut) return;
      event.preventDefault();
      shortcut();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

/**
 * Handles J, K and Esc in a list with rows that open in a panel. The focus follows.
 * @param kind the `data-{kind}` attribute of a row's link holds the row's id
 * @param open opens a row's panel; null closes the panel
 * @returns the panel's actions (previous row, next row and close), and the focused row
 */
export function useListKeys(
  kind: "person" | "mail" | "request",
  rows: { id: string }[],
  openId: string | null,
  open: (id: string | null) => void,
) {
  const linkOf = (id: string | null) => document.querySelector<HTMLElement>(`[data-${kind}="${id}"]`);
  const focused = () => document.activeElement?.closest<HTMLElement>(`[data-${kind}]`)?.dataset[kind] ?? null;
  const step = (by: 1 | -1) => {
    const current = openId ?? focused();
    const at = rows.findIndex(({ id }) => id === current);
    const next = at === -1 ? rows.at(by === 1 ? 0 : -1) : rows[at + by];
    if (!next) return;
    leave(() => {
      if (openId) open(next.id);
      linkOf(next.id)?.focus();
    });
  };
  const close = () =>
    leave(() => {
      open(null);
      // The focus returns to the panel's row.
      linkOf(openId)?.focus();
    });
  useShortcuts({ j: () => step(1), k: () => step(-1), ...(openId && { Escape: close }) });
  return { focused, step, close };
}
