import { useShortcuts } from "./shortcuts";

/**
 * Handles J, K and Esc in a list with rows that open in a panel. The focus follows.
 * @param kind the `data-{kind}` attribute of a row's link holds the row's id
 * @param open opens a row's panel; null closes the panel
 * @returns the panel's actions (previous row, next row and close), and the focused row
 */
export function useListKeys(
  kind: "person" | "mail",
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
    if (openId) open(next.id);
    linkOf(next.id)?.focus();
  };
  const close = () => {
    open(null);
    // The focus returns to the panel's row.
    linkOf(openId)?.focus();
  };
  useShortcuts({ j: () => step(1), k: () => step(-1), ...(openId && { Escape: close }) });
  return { focused, step, close };
}
