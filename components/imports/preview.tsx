import { useVirtualizer } from "@tanstack/react-virtual";
import { type CSSProperties, type KeyboardEvent, useCallback, useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { useCount } from "../ui/numbers";
import { sumCounts } from "./counts";
import styles from "./form.module.css";
import { PreviewRow } from "./preview-row";
import type { Group } from "./reading/messages";
import type { Item } from "./reading/preview-item";
import type { ReadList } from "./use-list";

const PAGE = 60;
const ROW_PX = 36;
const HEAD_PX = 32;
const columns = ["line", "address", "name", "status", "result"] as const;

/**
 * Previews the rows of one group or of all groups, odd rows first. Only visible rows are fetched and drawn. Tab
 * reaches one row and arrow keys reach the others, because 100,000 Tab stops are unusable.
 */
export function ListPreview({ list, group }: { list: ReadList; group: Group | null }) {
  const t = useTranslations("imports.preview");
  const count = useCount();
  const { counts, account } = list.reading;
  const total = sumCounts(counts, group);
  const scroller = useRef<HTMLElement>(null);
  // A row has its estimated height until it is drawn.
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    scrollMargin: HEAD_PX,
    scrollPaddingStart: HEAD_PX,
    overscan: 4,
  });
  const shown = rows.getVirtualItems();
  const stretch = useItems(list, group, shown[0]?.index ?? 0, shown.at(-1)?.index ?? 0);
  const [chosen, setChosen] = useState(0);
  const active = Math.max(0, Math.min(chosen, total - 1));
  const focusNext = useFocusNext(scroller, stretch);
  const onFixed = useCallback((index: number) => focusNext(index, stretch), [focusNext, stretch]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another group begins at its beginning
  useEffect(() => {
    scroller.current?.scrollTo({ top: 0 });
    setChosen(0);
  }, [group]);

  const move = (event: KeyboardEvent) => {
    const to = rowAfter(event.key, active, total - 1);
    if (to === null) return;
    event.preventDefault();
    setChosen(to);
    rows.scrollToIndex(to);
    focusNext(to, null);
  };

  if (total === 0) return null;
  return (
    <section
      className={styles.preview}
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse
      tabIndex={0}
      aria-label={t("label")}
      onKeyDown={move}
    >
      <table
        aria-rowcount={total + 1}
        style={{ "--digits": `${count(account.lines).length}ch` } as CSSProperties}
      >
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <th key={column} scope="col">
                {t(`columns.${column}`)}
              </th>
            ))}
            <th scope="col">
              <span className="sr">{t("columns.why")}</span>
            </th>
          </tr>
        </thead>
        <tbody style={{ height: rows.getTotalSize() }}>
          {shown.map((row) => (
            <PreviewRow
              key={row.key}
              ref={rows.measureElement}
              index={row.index}
              top={row.start - HEAD_PX}
              item={stretch.items[row.index - stretch.from] ?? null}
              version={stretch.version}
              session={list.session}
              isActive={row.index === active}
              onActive={setChosen}
              onFixed={onFixed}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

const PAGE_ROWS = 10;

/** Returns the row that a key moves to, or null for other keys. */
function rowAfter(key: string, row: number, last: number): number | null {
  const steps: Record<string, number> = {
    ArrowDown: row + 1,
    ArrowUp: row - 1,
    PageDown: row + PAGE_ROWS,
    PageUp: row - PAGE_ROWS,
    Home: 0,
    End: last,
  };
  const to = steps[key];
  return to === undefined ? null : Math.max(0, Math.min(to, last));
}

type Stretch = { version: number; from: number; items: Item[] };

/** Fetches the items around the visible rows. Old items stay until the new items arrive. */
function useItems(list: ReadList, group: Group | null, first: number, last: number): Stretch {
  const { reading, session, statusRule } = list;
  const [stretch, setStretch] = useState<Stretch>({ version: 0, from: 0, items: [] });
  const from = Math.floor(first / PAGE) * PAGE;
  const to = (Math.floor(last / PAGE) + 1) * PAGE;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another rule gives another status
  useEffect(() => {
    let current = true;
    void session.items(group, from, to).then((found) => {
      if (current && found) setStretch({ ...found, from });
    });
    return () => {
      current = false;
    };
  }, [reading, group, from, to, session, statusRule]);
  return stretch;
}

/**
 * Focuses a row once it is drawn: its first fix, or its line. A fixed row disappears with the focused button. Then the
 * row in its place gets the focus, once the items `after` the fix are loaded.
 */
function useFocusNext(scroller: React.RefObject<HTMLElement | null>, stretch: Stretch) {
  const wanted = useRef<{ index: number; after: Stretch | null } | null>(null);
  useEffect(() => {
    const next = wanted.current;
    if (!next || next.after === stretch) return;
    const row = scroller.current?.querySelector(`[data-index="${next.index}"]`);
    const fix = next.after && row?.querySelector<HTMLElement>("[data-fix]");
    const target = fix ?? row?.querySelector<HTMLElement>("button");
    if (!target && !next.after) return;
    (target ?? scroller.current)?.focus({ preventScroll: true });
    wanted.current = null;
  });
  return useCallback((index: number, after: Stretch | null) => {
    wanted.current = { index, after };
  }, []);
}
