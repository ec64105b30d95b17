import { useEffect, useRef } from "react";

/** What keys do, as they are written in the list of shortcuts: "?", "/", "j", "g p" (one after the other). */
type Shortcuts = Record<string, () => void>;

const SEQUENCE_MS = 900;
const FIELDS = "input:not([type=checkbox]), textarea, select, [contenteditable], [role=menu], [role=listbox]";

/** Whether the key is typed into something, or belongs to a dialog in front. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return true;
  if ((event.target as Element | null)?.closest(FIELDS)) return true;
  return document.querySelector('[role="dialog"][aria-modal="true"]') !== null;
}

/** Listens for single keys and pairs while the component is there. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts);
  current.current = shortcuts;
  useEffect(() => {
    let first = "";
    let at = 0;
    const onKey = (event: KeyboardEvent) => {
      if (isTaken(event)) return;
      const pair = performance.now() - at < SEQUENCE_MS ? `${first} ${event.key}` : "";
      const shortcut = current.current[pair] ?? current.current[event.key];
      first = event.key;
      at = performance.now();
      if (!shortcut) return;
      event.preventDefault();
      shortcut();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}
