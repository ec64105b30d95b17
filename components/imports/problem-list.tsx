import { Anchor, Text, UnstyledButton } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { count } from "../ui/numbers";
import styles from "./form.module.css";
import type { Group, Item } from "./reading/messages";
import type { List } from "./use-list";

const PAGE = 60;
const ROW_PX = 64;

/** The items of one group, or of all that need a look; only those in sight are fetched and drawn. */
export function ProblemList({ list, group }: { list: List; group: Group | null }) {
  const { reading } = list;
  const counts = reading?.counts;
  const total = counts ? sum(counts, group) : 0;
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 6,
  });
  const shown = rows.getVirtualItems();
  const stretch = useItems(list, group, shown[0]?.index ?? 0, shown.at(-1)?.index ?? 0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another group begins at its beginning
  useEffect(() => {
    scroller.current?.scrollTo({ top: 0 });
  }, [group]);

  // What was fixed is gone, and with it the button that had the focus: the next one in its place gets it.
  const refocus = useRef<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the items after the fix are there
  useEffect(() => {
    if (refocus.current === null) return;
    const row = scroller.current?.querySelector(`[data-index="${refocus.current}"]`);
    (row?.querySelector<HTMLElement>("[data-fix]") ?? scroller.current)?.focus({ preventScroll: true });
    refocus.current = null;
  }, [stretch]);
  const applyAt = (index: number) => async (change: () => Promise<unknown>) => {
    await change();
    refocus.current = index;
  };

  if (!reading || total === 0)
    return (
      <Text c="dimmed" size="sm" py="sm">
        {nothing(reading, group)}
      </Text>
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse
    <section className={styles.problems} ref={scroller} tabIndex={0} aria-label="What needs a look">
      <ul style={{ height: rows.getTotalSize() }}>
        {shown.map((row) => {
          const found = stretch.items[row.index - stretch.from];
          return (
            <li
              key={row.key}
              ref={rows.measureElement}
              data-index={row.index}
              data-group={found?.group}
              aria-setsize={total}
              aria-posinset={row.index + 1}
              style={{ transform: `translateY(${row.start}px)` }}
            >
              {found ? (
                <Problem list={list} item={found} version={stretch.version} apply={applyAt(row.index)} />
              ) : (
                <div style={{ height: ROW_PX - 1 }} />
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function sum(counts: Record<Group, number>, group: Group | null): number {
  if (group) return counts[group];
  return Object.entries(counts).reduce((all, [one, some]) => (one === "ready" ? all : all + some), 0);
}

function nothing(reading: List["reading"], group: Group | null): string {
  if (!reading || reading.rows + sum(reading.counts, null) === 0) return "";
  return group && group !== "fix" ? "Nobody any more." : "Nothing to fix.";
}

type Stretch = { version: number; from: number; items: Item[] };

/** The items around those in sight; those of the last reading stay until the new ones are there. */
function useItems(list: List, group: Group | null, first: number, last: number) {
  const { reading, session } = list;
  const [stretch, setStretch] = useState<Stretch>({ version: 0, from: 0, items: [] });
  const from = Math.floor(first / PAGE) * PAGE;
  const to = (Math.floor(last / PAGE) + 1) * PAGE;
  useEffect(() => {
    if (!reading) return;
    let current = true;
    void session.items(group, from, to).then((found) => {
      if (current && found) setStretch({ ...found, from });
    });
    return () => {
      current = false;
    };
  }, [reading, group, from, to, session]);
  return stretch;
}

type ProblemProps = {
  list: List;
  item: Item;
  version: number;
  /** Makes a change, after which the item in this place gets the focus. */
  apply(change: () => Promise<unknown>): Promise<void>;
};

function Problem({ list: { session }, item, version, apply }: ProblemProps) {
  const { line, text, message, suggestion, slip, deletable } = item;
  const domain = slip && slip.people > 1 ? slip.domain : null;
  return (
    <div className={styles.problem}>
      <UnstyledButton className={styles.line} onClick={() => session.goTo(item, version)}>
        <span className={styles.lineNumber}>
          <span className="sr">Line </span>
          {count(line)}
        </span>
        <span className={styles.text}>{text}</span>
      </UnstyledButton>
      <p className={styles.message}>{message}</p>
      {(suggestion || deletable) && (
        <div className={styles.fixes}>
          {suggestion && (
            <FixButton onClick={() => apply(() => session.fix(item, version))}>
              Use <b>{suggestion}</b>
            </FixButton>
          )}
          {slip && (
            <FixButton label={`Keep ${text}`} onClick={() => apply(() => session.keep(slip.canonical))}>
              Keep
            </FixButton>
          )}
          {deletable && (
            <FixButton onClick={() => apply(() => session.fix(item, version))}>
              Delete line {count(line)}
            </FixButton>
          )}
        </div>
      )}
      {slip && domain && (
        <div className={styles.fixes}>
          <span>All {count(slip.people)}:</span>
          <FixButton
            label={`Use ${slip.suggestedDomain} for all ${count(slip.people)}`}
            onClick={() => apply(() => session.fixDomain(domain))}
          >
            Use <b>{slip.suggestedDomain}</b>
          </FixButton>
          <FixButton
            label={`Keep ${domain} for all ${count(slip.people)}`}
            onClick={() => apply(() => session.keep(`@${domain}`))}
          >
            Keep
          </FixButton>
        </div>
      )}
    </div>
  );
}

function FixButton(props: { label?: string; onClick(): void; children: ReactNode }) {
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      data-fix
      aria-label={props.label}
      onClick={props.onClick}
    >
      {props.children}
    </Anchor>
  );
}
