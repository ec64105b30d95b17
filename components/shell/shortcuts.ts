import { useEffect, useRef } from "react";

/** Keys as they are written in the list of shortcuts: "?", "/", "j", "g p" (one after the other). */
export type Shortcuts = Record<string, () => void>;

const SEQUENCE_MS = 900;

/** Whether keys are being typed into something, or belong to a dialog in front. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return true;
  const target = event.target as HTMLElement | null;
  if (
    target?.closest(
      "input:not([type=checkbox]), textarea, select, [contenteditable], [role=menu], [role=listbox]",
    )
  )
    return true;
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
      const act = current.current[pair] ?? current.current[event.key];
      first = event.key;
      at = performance.now();
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}
