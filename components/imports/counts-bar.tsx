import { UnstyledButton } from "@mantine/core";
import { count } from "../ui/numbers";
import styles from "./form.module.css";
import type { Group, GroupCounts } from "./reading/messages";

/** In the order of the bar; empty groups are not shown, except `ready`. */
const shown: { group: Group; word: string }[] = [
  { group: "ready", word: "ready" },
  { group: "here", word: "already here" },
  { group: "fix", word: "to fix" },
  { group: "asked", word: "to answer" },
  { group: "twice", word: "twice" },
  { group: "leaving", word: "left, says the list" },
  { group: "unsubscribed", word: "unsubscribed" },
  { group: "suppressed", word: "not to be written to" },
  { group: "skipped", word: "skipped" },
];

/** "1,204 ready, 12 to fix": what is read out. */
export function wordCounts(counts: GroupCounts): string {
  return shown
    .filter(({ group }) => group === "ready" || counts[group] > 0)
    .map(({ group, word }) => `${count(counts[group])} ${word}`)
    .join(", ");
}

type Props = { counts: GroupCounts; group: Group | null; onChoose(group: Group | null): void };

/** Counts what became of the lines; each count shows only its own, and pressed again shows all once more. */
export function CountsBar({ counts, group, onChoose }: Props) {
  return (
    <fieldset className={styles.counts} aria-label="Show only">
      {shown
        .filter((one) => one.group === "ready" || one.group === group || counts[one.group] > 0)
        .map((one) => (
          <UnstyledButton
            key={one.group}
            data-group={one.group}
            aria-pressed={one.group === group}
            onClick={() => onChoose(one.group === group ? null : one.group)}
          >
            <b>{count(counts[one.group])}</b> {one.word}
          </UnstyledButton>
        ))}
    </fieldset>
  );
}
