import { UnstyledButton } from "@mantine/core";
import { useTranslations } from "use-intl";
import { bold } from "../texts/bold";
import type { Texts } from "../texts/texts";
import styles from "./form.module.css";
import { type Group, type GroupCounts, groups } from "./reading/messages";

const shownGroups = (counts: GroupCounts) => groups.filter((group) => group === "ready" || counts[group] > 0);

/** Text for screen readers: "1,204 ready, 12 to fix". */
export function countsText(counts: GroupCounts, t: Texts<"imports">): string {
  return shownGroups(counts)
    .map((group) => t.markup(`counts.groups.${group}`, { n: counts[group], b: (chunks) => chunks }))
    .join(", ");
}

/** Counts the entries of a group, or all entries for null. */
export function sumCounts(counts: GroupCounts, group: Group | null): number {
  return group ? counts[group] : groups.reduce((sum, one) => sum + counts[one], 0);
}

type Props = {
  counts: GroupCounts;
  /** A reading is under way. The counts still describe the previous text. */
  isReading: boolean;
  group: Group | null;
  onChoose(group: Group | null): void;
};

/** Counts the entries of each group. A click on a count filters by its group; a second click shows all entries. */
export function CountsBar({ counts, isReading, group, onChoose }: Props) {
  const t = useTranslations("imports");
  return (
    <fieldset className={styles.counts} aria-label={t("counts.label")}>
      {shownGroups(counts).map((one) => (
        <UnstyledButton
          key={one}
          data-group={one}
          aria-pressed={one === group}
          onClick={() => onChoose(one === group ? null : one)}
        >
          {t.rich(`counts.groups.${one}`, { n: counts[one], b: bold })}
        </UnstyledButton>
      ))}
      {isReading && <span className={styles.step}>{t("form.reading")}</span>}
    </fieldset>
  );
}
