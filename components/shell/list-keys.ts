import { useShortcuts } from "./shortcuts";

/**
 * J, K and Esc of a list whose rows open in a panel; the focus goes along.
 * @param kind a row's link holds its id as `data-{kind}`
 * @param open opens a row's panel, with null none
 * @returns what the panel's buttons do, too: the row before or after, and close; and which row has the focus
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
    // Back to the row it was opened from.
    linkOf(openId)?.focus();
  };
  useShortcuts({ j: () => step(1), k: () => step(-1), ...(openId && { Escape: close }) });
  return { focused, step, close };
}
