"use client";
import { ActionIcon, Button, Menu } from "@mantine/core";
import { useState } from "react";
import type { BulkActionKind } from "@/server/contract/bulk-actions";
import { useRun } from "../bulk-actions/use-run";
import type { Outputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import { icons } from "../ui/icons";
import { count, people as wordPeople } from "../ui/numbers";
import styles from "./people.module.css";
import type { Person } from "./table";
import { useExport } from "./use-export";
import type { Selection } from "./use-selection";
import type { PeopleView } from "./view-state";

type Props = {
  selection: Selection;
  people: Person[];
  filter: PeopleView["filter"];
  total: Outputs["people"]["matching"] | null;
};

/** More than this many are asked about even where it can be undone. */
const UNASKED = 25;
/** To erase more than this many, their number has to be typed. */
const UNTYPED = 100;

/** What can be done with those who are chosen; stays in sight below the list. */
export default function SelectionBar({ selection, people, filter, total }: Props) {
  const exporting = useExport({ selection, filter });
  const { run, busy } = useRun();
  const [asking, setAsking] = useState<BulkActionKind | null>(null);
  const chosen = selection.all ? (total?.people ?? 0) : selection.ids.size;
  const more = chosen > UNASKED ? " …" : "";
  const wholePage = people.length > 0 && people.every((person) => selection.ids.has(person.id));
  const maySelectAll = !selection.all && wholePage && total && total.people > selection.ids.size;
  // Known for those on this page alone; when all match it is for the server to say.
  const pending = selection.all
    ? null
    : people.filter((p) => selection.ids.has(p.id) && p.status === "pending").length;

  if (exporting.seen !== null) {
    return (
      <section className={styles.bar} aria-label="Selected people">
        <p role="status">
          Exporting: {count(exporting.seen)} of {count(chosen)}
        </p>
        <Button variant="default" onClick={exporting.stop}>
          Stop
        </Button>
      </section>
    );
  }

  async function begin(act: BulkActionKind) {
    setAsking(null);
    const target = selection.all ? { filter } : { ids: [...selection.ids] };
    if (await run(act, target)) selection.clear();
  }
  /** What can be taken back is not asked about, unless it is about many. */
  const choose = (act: "activate" | "unsubscribe") => (chosen > UNASKED ? setAsking(act) : void begin(act));

  return (
    <section className={styles.bar} aria-label="Selected people">
      <p aria-live="polite">
        <b>{count(chosen)} selected</b>
        {!selection.all && total && ` · of ${count(total.people)}`}
      </p>
      {maySelectAll && (
        <button type="button" className={styles.link} onClick={selection.selectAll}>
          Select all {count(total.people)}
        </button>
      )}
      <Button variant="default" disabled={pending === 0} loading={busy} onClick={() => begin("confirm")}>
        {pending === null
          ? "Send confirmations"
          : `Send ${count(pending)} confirmation${pending === 1 ? "" : "s"}`}
      </Button>
      <Menu position="top-end" width={180}>
        <Menu.Target>
          <Button variant="default">Export</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => exporting.save("csv")}>CSV, for a spreadsheet</Menu.Item>
          <Menu.Item onClick={() => exporting.save("json")}>JSON, for a program</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Menu position="top-end" width={200}>
        <Menu.Target>
          <ActionIcon variant="default" size={32} aria-label="More for these people">
            <icons.more />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => choose("activate")}>Make active{more}</Menu.Item>
          <Menu.Item onClick={() => choose("unsubscribe")}>Unsubscribe{more}</Menu.Item>
          <Menu.Item color="red" onClick={() => setAsking("erase")}>
            Erase …
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={32}
        aria-label="Select nobody"
        onClick={selection.clear}
      >
        <icons.close />
      </ActionIcon>
      {asking && (
        <Confirm
          {...questions[asking](`${wordPeople(chosen)}`)}
          danger={asking === "erase"}
          typed={asking === "erase" && chosen > UNTYPED ? chosen : null}
          busy={busy}
          onClose={() => setAsking(null)}
          onConfirm={() => begin(asking)}
        />
      )}
    </section>
  );
}

const questions: Record<
  BulkActionKind,
  (who: string) => { title: string; action: string; children: React.ReactNode }
> = {
  confirm: (who) => ({ title: `Ask ${who} again?`, action: `Ask ${who}`, children: null }),
  activate: (who) => ({
    title: `Make ${who} active?`,
    action: `Make ${who} active`,
    children: (
      <p>
        They are on the list without confirming. Who has unsubscribed stays so: only their own yes brings them
        back. This can be undone for a day.
      </p>
    ),
  }),
  unsubscribe: (who) => ({
    title: `Unsubscribe ${who}?`,
    action: `Unsubscribe ${who}`,
    children: (
      <p>
        They stay on the list as unsubscribed, and are not written to. You can undo this for a day; after that
        only their own yes does.
      </p>
    ),
  }),
  erase: (who) => ({
    title: `Erase ${who}?`,
    action: `Erase ${who}`,
    children: <p>They, their mails and what happened to them are deleted for good. This cannot be undone.</p>,
  }),
};
