"use client";
import { useDebouncedValue } from "@mantine/hooks";
import { createSpotlight, Spotlight } from "@mantine/spotlight";
import { keepPreviousData } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { api } from "../trpc";
import { icons } from "../ui/icons";
import { Status } from "../ui/status";
import { places } from "./places";
import { useViewer } from "./viewer";

const [store, spotlight] = createSpotlight();

/** What Enter opens is marked on the element itself, as Spotlight does when letters are typed. */
function selectFirst(): void {
  const list = document.getElementById(store.getState().listId);
  list?.querySelector("[data-selected]")?.removeAttribute("data-selected");
  list?.querySelector("[data-action]")?.setAttribute("data-selected", "true");
  store.updateState((state) => ({ ...state, selected: 0 }));
}

/** ⌘K: goes anywhere, finds people. @param asked grows each time it is asked for */
export default function Palette({ asked, onShortcuts }: { asked: number; onShortcuts(): void }) {
  const router = useRouter();
  const { newsletterId, newsletter, newsletters, mayEdit } = useViewer();
  const [query, setQuery] = useState("");
  const [search] = useDebouncedValue(query.trim(), 120);
  const base = `/n/${newsletterId}`;

  // biome-ignore lint/correctness/useExhaustiveDependencies: each asking opens it
  useEffect(() => spotlight.open(), [asked]);

  const found = api.people.page.useQuery(
    { newsletterId, filter: { search }, order: "newest", from: null, limit: 6 },
    { enabled: search !== "", placeholderData: keepPreviousData },
  );
  // People come after the letters: the first of them is what Enter opens, not what stood there before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer begins at its top
  useEffect(() => selectFirst(), [found.data]);

  const matches = (label: string) => label.toLowerCase().includes(query.trim().toLowerCase());
  const acts = [
    ...places.map(({ label, path, icon, key }) => ({
      label,
      icon,
      hint: `G ${key.toUpperCase()}`,
      run: () => router.push(base + path),
    })),
    ...(mayEdit
      ? [
          {
            label: "Add a person",
            icon: icons.add,
            hint: "C",
            run: () => router.push(`${base}/people?add=true`),
          },
          {
            label: "Paste a list",
            icon: icons.imports,
            hint: "",
            run: () => router.push(`${base}/imports/new`),
          },
        ]
      : []),
    { label: "Keyboard shortcuts", icon: icons.more, hint: "?", run: onShortcuts },
    ...newsletters
      .filter(({ id }) => id !== newsletterId)
      .map(({ id, name }) => ({
        label: `Go to ${name}`,
        icon: icons.right,
        hint: "",
        run: () => router.push(`/n/${id}`),
      })),
  ].filter(({ label }) => matches(label));
  // Those found stay while the next are looked for, as long as the letters are theirs: Enter must not open another.
  const people = (found.data?.people ?? []).filter(
    ({ email, name }) => query.trim() !== "" && matches(`${email} ${name}`),
  );

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
        {people.length > 0 && (
          <Spotlight.ActionsGroup label="People">
            {people.map((person) => (
              <Spotlight.Action
                key={person.id}
                label={person.email}
                description={person.name || undefined}
                rightSection={<Status status={person.status} />}
                onClick={() =>
                  router.push(`${base}/people?q=${encodeURIComponent(search)}&person=${person.id}`)
                }
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {acts.length > 0 && (
          <Spotlight.ActionsGroup label="Go">
            {acts.map(({ label, icon: Icon, hint, run }) => (
              <Spotlight.Action
                key={label}
                label={label}
                leftSection={<Icon />}
                rightSection={hint ? <kbd>{hint}</kbd> : null}
                onClick={run}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {people.length + acts.length === 0 && (
          <Spotlight.Empty>
            {found.isFetching ? "Searching …" : `Nobody and nothing here is called “${query.trim()}”.`}
          </Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
