"use client";
import { ActionIcon, Anchor, Button } from "@mantine/core";
import { BulkActionButtons } from "../bulk-actions/bulk-action-buttons";
import { useViewer } from "../shell/viewer";
import { icons } from "../ui/icons";
import { count } from "../ui/numbers";
import { ExportMenu } from "./export-menu";
import styles from "./people.module.css";
import type { Person } from "./person-fields";
import { useExport } from "./use-export";
import type { Selection } from "./use-selection";
import type { PeopleView } from "./view-state";

type Props = {
  selection: Selection;
  people: Person[];
  view: Pick<PeopleView, "filter" | "saved" | "isChanged">;
  /** How many match; null while they are counted. */
  total: number | null;
};

/** What can be done with those who are selected; stays in sight below the list. */
export default function SelectionBar({ selection, people, view, total }: Props) {
  const { mayEdit } = useViewer();
  const { filter, saved, isChanged } = view;
  const exporting = useExport({ selection, filter });
  const { ids, all } = selection;
  const selected = all ? (total ?? 0) : ids.size;

  if (exporting.read !== null) {
    return (
      <section className={styles.bar} aria-label="Selected people">
        <p role="status">
          Exporting: {count(exporting.read)} of {count(selected)}
        </p>
        <Button variant="default" onClick={exporting.stop}>
          Stop
        </Button>
      </section>
    );
  }

  const wholePage = people.length > 0 && people.every(({ id }) => ids.has(id));
  const pending = people.filter(({ id, status }) => ids.has(id) && status === "pending").length;
  return (
    <section className={styles.bar} aria-label="Selected people">
      <p aria-live="polite">
        <b>{count(selected)} selected</b>
        {!all && total !== null && ` · of ${count(total)}`}
      </p>
      {!all && wholePage && total !== null && total > ids.size && (
        <Anchor component="button" type="button" fz="md" onClick={selection.selectAll}>
          Select all {count(total)}
        </Anchor>
      )}
      {mayEdit ? (
        <BulkActionButtons
          target={all ? { filter } : { ids: [...ids] }}
          selected={selected}
          segment={all && saved && !isChanged ? saved.name : null}
          // Known only for those on this page; when all match, the server counts them.
          pending={all ? null : pending}
          onStarted={selection.clear}
        >
          <ExportMenu onSave={exporting.save} />
        </BulkActionButtons>
      ) : (
        <ExportMenu onSave={exporting.save} />
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        size={32}
        aria-label="Select nobody"
        onClick={selection.clear}
      >
        <icons.close />
      </ActionIcon>
    </section>
  );
}
