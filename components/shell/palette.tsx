"use client";
import { useDebouncedValue } from "@mantine/hooks";
import { createSpotlight, Spotlight } from "@mantine/spotlight";
import { keepPreviousData } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { useSegments } from "../segments/use-segments";
import { api } from "../trpc";
import { icons } from "../ui/icons";
import { StatusPill } from "../ui/status";
import { places } from "./places";
import { useViewer } from "./viewer";

const [store, spotlight] = createSpotlight();

/** Marks what Enter opens on the element itself, as Spotlight does when letters are typed. */
function selectFirst(): void {
  const list = document.getElementById(store.getState().listId);
  list?.querySelector("[data-selected]")?.removeAttribute("data-selected");
  list?.querySelector("[data-action]")?.setAttribute("data-selected", "true");
  store.updateState((state) => ({ ...state, selected: 0 }));
}

type Action = { label: string; icon: () => React.ReactNode; hint?: string; go: string | (() => void) };

/** Where the palette leads: the pages, the segments, the two ways to add people, the other newsletters. */
function useActions(onShortcuts: () => void): Action[] {
  const { newsletterId, newsletters, mayEdit } = useViewer();
  const segments = useSegments();
  const base = `/n/${newsletterId}`;
  return [
    ...places.map(({ label, path, icon, key }) => ({
      label,
      icon,
      hint: `G ${key.toUpperCase()}`,
      go: base + path,
    })),
    ...segments.map(({ id, name }) => ({
      label: `Segment ${name}`,
      icon: icons.people,
      go: `${base}/people?segment=${id}`,
    })),
    { label: "Webhooks", icon: icons.api, go: `${base}/api/webhooks` },
    ...(mayEdit
      ? [
          { label: "Add a person", icon: icons.add, hint: "C", go: `${base}/people?add=true` },
          { label: "Paste a list", icon: icons.imports, go: `${base}/imports/new` },
        ]
      : []),
    { label: "Keyboard shortcuts", icon: icons.more, hint: "?", go: onShortcuts },
    ...newsletters
      .filter(({ id }) => id !== newsletterId)
      .map(({ id, name }) => ({ label: `Go to ${name}`, icon: icons.right, go: `/n/${id}` })),
  ];
}

/** People who match what is typed; those found stay while the next are looked for. */
function usePeopleSearch(query: string) {
  const { newsletterId } = useViewer();
  const [search] = useDebouncedValue(query.trim(), 120);
  const found = api.people.page.useQuery(
    { newsletterId, filter: { search }, order: "newest", from: null, limit: 6 },
    { enabled: search !== "", placeholderData: keepPreviousData },
  );
  // People arrive after the letters: the first of them is what Enter opens, not what stood there before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each answer
  useEffect(() => selectFirst(), [found.data]);
  return { search, people: found.data?.people ?? [], searching: found.isFetching };
}

/** ⌘K: goes anywhere, finds people. @param asked grows each time it is asked for */
export default function Palette({ asked, onShortcuts }: { asked: number; onShortcuts(): void }) {
  const router = useRouter();
  const { newsletterId, newsletter } = useViewer();
  const [query, setQuery] = useState("");
  const { search, people, searching } = usePeopleSearch(query);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each asking opens it
  useEffect(() => spotlight.open(), [asked]);

  const matches = (label: string) => label.toLowerCase().includes(query.trim().toLowerCase());
  const actions = useActions(onShortcuts).filter(({ label }) => matches(label));
  // Of the people found before only those who match what is typed now: Enter must not open another.
  const shown = people.filter(({ email, name }) => query.trim() !== "" && matches(`${email} ${name}`));

  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      scrollable
      maxHeight={420}
      overlayProps={{ backgroundOpacity: 0.3, blur: 0 }}
      radius="md"
    >
      <Spotlight.Search
        placeholder={`Search people of ${newsletter.name}, or go to …`}
        leftSection={<icons.search />}
        aria-label="Search people, or go somewhere"
      />
      <Spotlight.ActionsList>
        {shown.length > 0 && (
          <Spotlight.ActionsGroup label="People">
            {shown.map(({ id, email, name, status }) => (
              <Spotlight.Action
                key={id}
                label={email}
                description={name || undefined}
                rightSection={<StatusPill status={status} />}
                onClick={() =>
                  router.push(`/n/${newsletterId}/people?q=${encodeURIComponent(search)}&person=${id}`)
                }
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {actions.length > 0 && (
          <Spotlight.ActionsGroup label="Go">
            {actions.map(({ label, icon: Icon, hint, go }) => (
              <Spotlight.Action
                key={label}
                label={label}
                leftSection={<Icon />}
                rightSection={hint && <kbd>{hint}</kbd>}
                onClick={() => (typeof go === "string" ? router.push(go) : go())}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {shown.length + actions.length === 0 && (
          <Spotlight.Empty>
            {searching ? "Searching …" : `Nobody and nothing here is called “${query.trim()}”.`}
          </Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
