import { UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { bold } from "../texts/bold";
import { ColumnMenus } from "./column-menus";
import { shownGroups } from "./counts";
import styles from "./form.module.css";
import { FormatChoice } from "./format-choice";
import { ListPreview } from "./preview";
import { QuestionPanel } from "./question-panel";
import type { Group } from "./reading/messages";
import type { ReadList } from "./use-list";

/** The result of reading the list: counts, questions and rows. */
export default function ListReview({ list }: { list: ReadList }) {
  const { counts } = list.reading;
  const [group, setGroup] = useState<Group | null>(null);

  // An empty group would hide all other entries.
  if (group && counts[group] === 0) setGroup(null);

  return (
    <>
      <CountsBar list={list} group={group} onChoose={setGroup} />
      <FormatChoice list={list} />
      <QuestionPanel list={list} />
      <ColumnMenus list={list} />
      <ListPreview list={list} group={group} />
    </>
  );
}

type CountsProps = { list: ReadList; group: Group | null; onChoose(group: Group | null): void };

/** Counts the entries of each group. A click on a count filters by its group; a second click shows all entries. */
function CountsBar({ list, group, onChoose }: CountsProps) {
  const t = useTranslations("imports");
  const { counts } = list.reading;
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
      {/* The counts still describe the previous text. */}
      {list.isReading && <span className={styles.step}>{t("form.reading")}</span>}
    </fieldset>
  );
}
