import { useState } from "react";
import { ColumnMenus } from "./column-menus";
import { CountsBar } from "./counts-bar";
import { FormatChoice } from "./format-choice";
import { ListPreview } from "./preview";
import { QuestionPanel } from "./question-panel";
import type { Group } from "./reading/messages";
import type { ReadList } from "./use-list";

/** The result of reading the list: counts, questions and rows. */
export default function ListReview({ list }: { list: ReadList }) {
  const { reading } = list;
  const [group, setGroup] = useState<Group | null>(null);

  // An empty group would hide all other entries.
  if (group && reading.counts[group] === 0) setGroup(null);

  return (
    <>
      <CountsBar counts={reading.counts} isReading={list.isReading} group={group} onChoose={setGroup} />
      <FormatChoice list={list} />
      <QuestionPanel list={list} />
      <ColumnMenus list={list} />
      <ListPreview list={list} group={group} />
    </>
  );
}
