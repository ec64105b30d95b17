import { UnstyledButton } from "@mantine/core";
import { count } from "../ui/numbers";
import styles from "./form.module.css";
import type { Group, GroupCounts } from "./reading/messages";

/** In the order of the bar: the word beside the number, and what happens to each of them. */
export const groupWords: Record<Group, { bar: string; happens: string }> = {
  ready: { bar: "ready", happens: "Added" },
  here: { bar: "already here", happens: "Unchanged" },
  fix: { bar: "to fix", happens: "Not added" },
  asked: { bar: "to answer", happens: "Waits" },
  leaving: { bar: "opted out", happens: "Added" },
  twice: { bar: "twice", happens: "Skipped" },
  unsubscribed: { bar: "unsubscribed earlier", happens: "Unchanged" },
  suppressed: { bar: "suppressed", happens: "Not added" },
  skipped: { bar: "skipped", happens: "Skipped" },
};
const order = Object.keys(groupWords) as Group[];

/** "1,204 ready, 12 to fix": what is read out. */
export function wordCounts(counts: GroupCounts): string {
  return order
    .filter((group) => group === "ready" || counts[group] > 0)
    .map((group) => `${count(counts[group])} ${groupWords[group].bar}`)
    .join(", ");
}

/** How many entries a group has, or all. */
export function sumCounts(counts: GroupCounts, group: Group | null): number {
  return group ? counts[group] : order.reduce((sum, one) => sum + counts[one], 0);
}

type Props = {
  counts: GroupCounts;
  /** The numbers are those of the text before. */
  isReading: boolean;
  group: Group | null;
  onChoose(group: Group | null): void;
};

/** Counts what becomes of the lines; each count shows only its own, and pressed again shows all once more. */
export function CountsBar({ counts, isReading, group, onChoose }: Props) {
  return (
    <fieldset className={styles.counts} aria-label="Show only">
      {order
        .filter((one) => one === "ready" || one === group || counts[one] > 0)
        .map((one) => (
          <UnstyledButton
            key={one}
            data-group={one}
            aria-pressed={one === group}
            onClick={() => onChoose(one === group ? null : one)}
          >
            <b>{count(counts[one])}</b> {groupWords[one].bar}
          </UnstyledButton>
        ))}
      {isReading && <span className={styles.step}>Reading …</span>}
    </fieldset>
  );
}
