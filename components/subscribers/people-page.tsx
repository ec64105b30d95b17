"use client";
import { Button } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { SegmentButton, SegmentMenu, useSegmentEditing } from "../segments/segment-editing";
import { useOpenFirst } from "../shell/search-field";
import { useListKeys, useShortcuts } from "../shell/shortcuts";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { Menu } from "../ui/floating";
import { icons } from "../ui/icons";
import { ListPage } from "../ui/list-page";
import { MoreMenu } from "../ui/more-menu";
import { useCount } from "../ui/numbers";
import { onDemand } from "../ui/on-demand";
import { focusPanel } from "../ui/side-panel";
import { Empty } from "../ui/states";
import { leave } from "../ui/unsaved";
import { OfferItems, offersOf, useOffers } from "../ui/verbs";
import { Filters } from "./filters";
import { NEW_PEOPLE_POLL_MS, NewPeople } from "./new-people";
import { Pager } from "./pager";
import styles from "./people.module.css";
import type { Person } from "./person-fields";
import { PeopleTable, type Selection, useSelection } from "./table";
import { useExport } from "./use-export";
import { type PeopleView, usePeopleView } from "./view-state";

// These load after the list, which doesn't need them.
const AddPerson = onDemand(() => import("./add-person"));
const PersonPanel = onDemand(() => import("./person-panel"), { isNear: true });
const SelectionBar = onDemand(() => import("./selection-bar"), { isNear: true });

const NOBODY: Person[] = [];

export function PeoplePage() {
  const t = useTranslations("people.page");
  const { mayEdit, mayExport } = useViewer();
  const view = usePeopleView();
  const { page, total, isTotalStale, refresh } = usePeople(view);
  const people = page.data?.items ?? NOBODY;
  const selection = useSelection(people, view.filter);
  const editing = useSegmentEditing(view);
  const { step, close } = usePeopleKeys(view, people, selection);
  const { entered, open } = useOpening(view);
  useLinkedAction(view, selection, total);
  const openFirst = useOpenFirst(page, people[0], (id) => open(id, true));
  const isCurrent = page.isSuccess && !page.isPlaceholderData;
  return (
    <>
      <ListPage
        title={view.saved?.name ?? t("title")}
        aside={
          <>
            <SegmentMenu view={view} editing={editing} />
            <Total people={total} isStale={isTotalStale} />
          </>
        }
        actions={
          <>
            <SegmentButton view={view} editing={editing} />
            {mayEdit && <Actions view={view} />}
            <More view={view} selection={selection} total={total} />
          </>
        }
        tools={
          <>
            <Filters view={view} onEnter={openFirst} />
            {isCurrent && (
              <NewPeople view={view} page={page.data} readAt={page.dataUpdatedAt} onShow={refresh} />
            )}
          </>
        }
        query={page}
        rows={14}
        empty={isCurrent && people.length === 0 && <Nobody view={view} />}
        footer={
          mayExport &&
          !selection.isEmpty && (
            <SelectionBar selection={selection} people={people} view={view} total={total} />
          )
        }
        panel={
          view.person && (
            <PersonPanel
              key={view.person}
              id={view.person}
              takesFocus={entered === view.person}
              editing={view.edit}
              onEdit={view.setEditing}
              onClose={close}
              onStep={step}
            />
          )
        }
      >
        {(data) =>
          people.length > 0 && (
            <>
              <PeopleTable
                people={people}
                view={view}
                selection={selection}
                stale={page.isPlaceholderData}
                maySelect={mayExport}
                onOpen={open}
                onStep={step}
              />
              <Pager view={view} page={data} total={total} />
            </>
          )
        }
      </ListPage>
      {editing.dialog}
      {view.add && mayEdit && <AddPerson onClose={() => view.setAdding(false)} onOpen={view.open} />}
    </>
  );
}

/** The number of people beside the title. `isStale`: it is that of the filter before. */
function Total({ people, isStale }: { people: number | null; isStale: boolean }) {
  const count = useCount();
  if (people === null) return null;
  return (
    <span className={styles.total} aria-live="polite" data-stale={isStale || undefined}>
      {count(people)}
    </span>
  );
}

/** Opens people. `entered` is the person opened by keyboard; the focus then moves into the panel. */
function useOpening(view: PeopleView) {
  const [entered, setEntered] = useState<string | null>(null);
  const open = (id: string, byKey: boolean) =>
    leave(() => {
      setEntered(byKey ? id : null);
      view.open(id);
      if (byKey && view.person === id) focusPanel();
    });
  return { entered, open };
}

/** Selects all matching people for the bulk action of a link. The action's question then opens. */
function useLinkedAction({ action, filter }: PeopleView, selection: Selection, total: number | null) {
  const hasPeople = total !== null && total > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each filter
  useEffect(() => {
    if (action && hasPeople) selection.selectAll();
  }, [action, filter, hasPeople]);
}

/** Fetches a page of matching people and their total. The next page is prefetched. */
function usePeople({ filter, sort: order, from, isReady: enabled }: PeopleView) {
  const { newsletterId } = useViewer();
  const utils = api.useUtils();
  const page = api.people.page.useQuery(
    { newsletterId, filter, order, from },
    {
      enabled,
      placeholderData: keepPreviousData,
      // An empty list shows its first person. Other lists stay in place: see NewPeople.
      refetchInterval: ({ state }) => state.data?.items.length === 0 && NEW_PEOPLE_POLL_MS,
    },
  );
  // A separate request, so the rows don't wait for the total.
  const total = api.people.matching.useQuery(
    { newsletterId, filter },
    {
      enabled,
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => state.data?.people === 0 && NEW_PEOPLE_POLL_MS,
      trpc: { context: { apart: true } },
    },
  );
  const next = page.data?.next;
  useEffect(() => {
    if (next && !page.isPlaceholderData) {
      void utils.people.page.prefetch({ newsletterId, filter, order, from: { after: next } });
    }
  }, [next, page.isPlaceholderData, newsletterId, filter, order, utils]);
  const refresh = () => {
    void Promise.all([page.refetch(), total.refetch()]);
    window.scrollTo({ top: 0 });
  };
  return { page, total: total.data?.people ?? null, isTotalStale: total.isPlaceholderData, refresh };
}

/** Handles the list's keys. @returns the panel's actions: previous person, next person and close */
function usePeopleKeys(view: PeopleView, people: Person[], selection: Selection) {
  const { mayExport } = useViewer();
  const { focused, step, close } = useListKeys("person", people, view.person, view.open);
  const select = (range: boolean) => {
    const id = focused();
    if (id) selection.set(id, range || !selection.has(id), range);
  };
  useShortcuts({
    ...(mayExport && {
      x: () => select(false),
      X: () => select(true),
    }),
  });
  return { step, close };
}

function Actions({ view }: { view: PeopleView }) {
  const t = useTranslations("people.page");
  const { newsletterId } = useViewer();
  return (
    <>
      <Button
        variant="default"
        component={Link}
        href={`/n/${newsletterId}/imports/new`}
        className={styles.action}
        leftSection={<icons.imports />}
      >
        {t("pasteList")}
      </Button>
      <Button className={styles.action} leftSection={<icons.add />} onClick={() => view.setAdding(true)}>
        {t("addPerson")}
      </Button>
    </>
  );
}

type MoreProps = { view: PeopleView; selection: Selection; total: number | null };

/** The menu of actions for the shown list. */
function More({ view, selection, total }: MoreProps) {
  const t = useTranslations("people.page");
  const { newsletterId, mayEdit, mayExport } = useViewer();
  const router = useRouter();
  const exporting = useExport({ filter: view.filter });
  const hasPeople = total !== 0 && mayExport;
  const exports = hasPeople ? exporting.offers : [];
  const adding = offersOf([
    mayEdit && { verb: "addPerson", run: () => view.setAdding(true) },
    mayEdit && { verb: "pasteList", run: () => router.push(`/n/${newsletterId}/imports/new`) },
  ]);
  const all = total !== null && { label: t("selectAll", { n: total }) };
  const selecting = offersOf([
    hasPeople && { verb: "selectPage", run: () => selection.setPage(true) },
    hasPeople && { verb: "selectAll", ...all, run: selection.selectAll },
  ]);
  const offered = [...adding, ...selecting, ...(selection.isEmpty ? exports : [])];
  useOffers(view.saved?.name ?? t("title"), offered);
  return (
    <MoreMenu label={t("more")}>
      <OfferItems offers={selecting} />
      {exports.length > 0 && (
        <Menu.Label>{total === null ? t("exportAll") : t("exportAllCounted", { n: total })}</Menu.Label>
      )}
      <OfferItems offers={exports} />
    </MoreMenu>
  );
}

function Nobody({ view }: { view: PeopleView }) {
  const t = useTranslations("people.page");
  const { mayEdit } = useViewer();
  if (!view.filtered)
    return (
      <Empty title={t("emptyTitle")} action={mayEdit && <Actions view={view} />}>
        {t("empty")}
      </Empty>
    );
  const all = (
    <Button variant="default" onClick={view.clear}>
      {t("showAll")}
    </Button>
  );
  return (
    <Empty title={t("noMatchesTitle")} action={all}>
      {t("noMatches")}
    </Empty>
  );
}
