"use client";
import { Button } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useEffect, useRef } from "react";
import { useShortcuts } from "../shell/shortcuts";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { icons } from "../ui/icons";
import { Page } from "../ui/list-page";
import { count } from "../ui/numbers";
import { Empty, Failed, Loading } from "../ui/states";
import { Filters } from "./filters";
import { Pager } from "./pager";
import styles from "./people.module.css";
import { PeopleTable, type Person } from "./table";
import { useSelection } from "./use-selection";
import { usePeopleView } from "./view-state";

// Asked for once the list stands; none of them is needed to read it.
const AddPerson = dynamic(() => import("./add-person"), { ssr: false });
const PersonPanel = dynamic(() => import("./person-panel"), { ssr: false });
const SelectionBar = dynamic(() => import("./selection-bar"), { ssr: false });

const NOBODY: Person[] = [];

export function PeoplePage() {
  const { newsletterId, mayEdit } = useViewer();
  const view = usePeopleView();
  const { filter, order, from } = view;
  const utils = api.useUtils();
  const page = api.people.page.useQuery(
    { newsletterId, filter, order, from },
    { placeholderData: keepPreviousData },
  );
  // Asked apart: the rows do not wait for their number.
  const total = api.people.matching.useQuery(
    { newsletterId, filter },
    { placeholderData: keepPreviousData, trpc: { context: { apart: true } } },
  );
  const people = page.data?.people ?? NOBODY;
  const selection = useSelection(people);
  const searchRef = useRef<HTMLInputElement>(null);

  // The next page is there when it is asked for.
  const next = page.data?.after;
  useEffect(() => {
    if (next && !page.isPlaceholderData) {
      void utils.people.page.prefetch({ newsletterId, filter, order, from: { after: next } });
    }
  }, [next, page.isPlaceholderData, newsletterId, filter, order, utils]);

  const step = (by: 1 | -1) => {
    const focused = document.activeElement?.closest<HTMLElement>("[data-person]")?.dataset.person;
    const at = people.findIndex((person) => person.id === (view.person ?? focused));
    const person = people[at === -1 ? (by === 1 ? 0 : people.length - 1) : at + by];
    if (!person) return;
    if (view.person) view.open(person.id);
    document.querySelector<HTMLElement>(`[data-person="${person.id}"]`)?.focus();
  };
  useShortcuts({
    "/": () => searchRef.current?.focus(),
    j: () => step(1),
    k: () => step(-1),
    ...(view.person && { Escape: () => close() }),
    ...(mayEdit && {
      c: () => view.setAdding(true),
      x: () => {
        const id = document.activeElement?.closest<HTMLElement>("[data-person]")?.dataset.person;
        if (id) selection.set(id, !selection.ids.has(id), false);
      },
    }),
  });

  function close() {
    const id = view.person;
    view.open(null);
    // Back to the row it was opened from.
    document.querySelector<HTMLElement>(`[data-person="${id}"]`)?.focus();
  }

  // Rows are kept as they are while nothing of theirs changes, so what they call must always be today's.
  const acts = useRef({ open: view.open, select: selection.set });
  acts.current = { open: view.open, select: selection.set };
  const stable = useRef({
    open: (id: string) => acts.current.open(id),
    select: (id: string, on: boolean, range: boolean) => acts.current.select(id, on, range),
  }).current;

  const nobody = page.data && people.length === 0 && !page.isPlaceholderData;
  const actions = mayEdit && (
    <>
      <Button
        variant="default"
        component={Link}
        href={`/n/${newsletterId}/imports/new`}
        className={styles.act}
        leftSection={<icons.imports />}
      >
        <span>Paste a list</span>
      </Button>
      <Button className={styles.act} leftSection={<icons.add />} onClick={() => view.setAdding(true)}>
        <span>Add person</span>
      </Button>
    </>
  );
  const howMany = total.data && (
    <span className={styles.total} aria-live="polite" data-stale={total.isPlaceholderData || undefined}>
      {count(total.data.people)}
    </span>
  );

  return (
    <div className={styles.layout} data-open={view.person ? true : undefined}>
      <Page title="People" aside={howMany} actions={actions}>
        <Filters view={view} searchRef={searchRef} />
        {page.error && <Failed error={page.error} retry={() => page.refetch()} />}
        {page.isPending && <Loading rows={14} />}
        {nobody &&
          !page.error &&
          (view.filtered ? <NobodyMatches onClear={view.clear} /> : <NobodyYet actions={actions} />)}
        {people.length > 0 && (
          <>
            <PeopleTable
              people={people}
              view={{ ...view, open: stable.open as typeof view.open }}
              selected={selection.ids}
              allSelected={selection.all}
              onSelect={stable.select}
              onSelectPage={selection.setPage}
              stale={page.isPlaceholderData}
              mayEdit={mayEdit}
            />
            <Pager view={view} page={page.data} total={total.data} />
          </>
        )}
        {mayEdit && (selection.ids.size > 0 || selection.all) && (
          <SelectionBar selection={selection} people={people} filter={filter} total={total.data ?? null} />
        )}
      </Page>
      {view.person && <PersonPanel key={view.person} id={view.person} onClose={close} onStep={step} />}
      {view.add && mayEdit && <AddPerson onClose={() => view.setAdding(false)} onOpen={view.open} />}
    </div>
  );
}

function NobodyMatches({ onClear }: { onClear(): void }) {
  return (
    <Empty
      title="Nobody matches"
      action={
        <Button variant="default" onClick={onClear}>
          Show everybody
        </Button>
      }
    >
      A search looks at any part of the address and the name, one or two letters at the beginning of a word;
      the filters narrow it further.
    </Empty>
  );
}

function NobodyYet({ actions }: { actions: React.ReactNode }) {
  return (
    <Empty title="Nobody is on the list yet" action={actions}>
      Add a person, paste a list, or let your website add people through the API. Who is pending gets a mail
      that asks them to confirm.
    </Empty>
  );
}
