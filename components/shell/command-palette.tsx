import { useMantineColorScheme } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { createSpotlight, Spotlight } from "@mantine/spotlight";
import { keepPreviousData } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { statuses } from "@/server/subscribers/status-moves";
import { useSegments } from "../segments/use-segments";
import { useSettingsPages } from "../settings/pages";
import { signOut } from "../sign-in/call-auth";
import type { Texts } from "../texts/texts";
import { api } from "../trpc";
import { icons } from "../ui/icons";
import { shownUndoable } from "../ui/notify";
import { onDemand } from "../ui/on-demand";
import { StatusPill, useStatusWord } from "../ui/status-pill";
import { leave } from "../ui/unsaved";
import { keyOf, type Offered, offersNow, useVerbLabel, type VerbName } from "../ui/verbs";
import { schemes } from "./navigation";
import { places } from "./places";
import { useViewer } from "./viewer";

const NewNewsletter = onDemand(() => import("./new-newsletter"));

/** If a page has more things with actions than this, such as keys, they appear only for matching words. */
const MOST_UNASKED = 3;

const [store, spotlight] = createSpotlight();

/** Marks the entry that Enter opens on the element itself, as Spotlight does during typing. */
function selectFirst(): void {
  const list = document.getElementById(store.getState().listId);
  list?.querySelector("[data-selected]")?.removeAttribute("data-selected");
  list?.querySelector("[data-action]")?.setAttribute("data-selected", "true");
  store.updateState((state) => ({ ...state, selected: 0 }));
}

type Verbs = { onShortcuts(): void; onNewNewsletter(): void };
type Action = {
  label: string;
  icon: () => React.ReactNode;
  hint?: string;
  /** Additional search words. */
  words?: string;
  /** Appears only for matching words. */
  isAsked?: boolean;
  go: string | (() => void);
};

/** The palette's entries: pages, segments, both ways to add people, the menus' actions and other newsletters. */
function useActions({ onShortcuts, onNewNewsletter }: Verbs): Action[] {
  const t = useTranslations("shell");
  const statusWord = useStatusWord();
  const labelOf = useVerbLabel();
  const { newsletterId, newsletters, mayEdit, mayManage, isOwner } = useViewer();
  const { setColorScheme } = useMantineColorScheme();
  const segments = useSegments();
  const settingsPages = useSettingsPages();
  const base = `/n/${newsletterId}`;
  const all: (Action | false)[] = [
    ...places.map(({ name, path, icon, key }) => ({
      label: t(`places.${name}`),
      icon,
      hint: `G ${key.toUpperCase()}`,
      go: base + path,
    })),
    ...segments.map(({ id, name }) => ({
      label: t("palette.segment", { name }),
      icon: icons.people,
      go: `${base}/people?segment=${id}`,
    })),
    ...statuses.map((status) => ({
      label: t("palette.status", { status: statusWord(status) }),
      icon: icons.people,
      isAsked: true,
      go: `${base}/people?status=${status}`,
    })),
    mayManage && { label: t("palette.rotate"), icon: icons.api, isAsked: true, go: `${base}/api` },
    { label: t("palette.webhooks"), icon: icons.api, go: `${base}/api/webhooks` },
    ...settingsPages.map(({ path, label, words }) => ({
      // The settings of an email's text are listed with the emails.
      label: path.startsWith("/settings") ? t("palette.settings", { page: label }) : label,
      icon: path.startsWith("/settings") ? icons.settings : icons.mails,
      words,
      go: base + path,
    })),
    mayEdit && { label: labelOf("addPerson"), icon: icons.add, go: `${base}/people?add=true` },
    mayEdit && { label: labelOf("pasteList"), icon: icons.imports, go: `${base}/imports/new` },
    { label: t("shortcuts.title"), icon: icons.more, hint: "?", go: onShortcuts },
    {
      label: t("palette.documentation"),
      words: "docs openapi",
      icon: icons.api,
      go: () => leave(() => window.location.assign("/docs")),
    },
    isOwner && { label: t("palette.invite"), icon: icons.add, go: `${base}/settings/staff?invite=true` },
    isOwner && { label: t("newNewsletter.title"), icon: icons.add, go: onNewNewsletter },
    ...schemes.map(({ value, icon }) => ({
      label: t(`palette.colours.${value}`),
      icon,
      go: () => setColorScheme(value),
    })),
    { label: t("navigation.signOut"), icon: icons.out, go: () => leave(signOut) },
    ...newsletters
      .filter(({ id }) => id !== newsletterId)
      .map(({ id, name }) => ({
        label: t("palette.newsletter", { name }),
        icon: icons.right,
        go: `/n/${id}`,
      })),
  ];
  return all.filter((action) => action !== false);
}

type Asked = {
  query: string;
  matches(label: string): boolean;
  labelOf(verb: VerbName): string;
  t: Texts<"shell.palette">;
};

/** The matching actions of the page, and undo. With many things on a page, only matching ones are listed. */
function offeredOf({ query, matches, labelOf, t }: Asked): Offered[] {
  const offered = offersNow();
  const last = shownUndoable();
  if (last) {
    const label = t("undo", { message: last.message });
    offered.push({ about: t("groups.justNow"), offers: [{ verb: "undo", label, run: last.undo }] });
  }
  if (query === "" && offered.length > MOST_UNASKED) return [];
  return offered
    .map(({ about, offers }) => ({
      about,
      offers: offers.filter(({ verb, label = labelOf(verb) }) => matches(`${label} ${about}`)),
    }))
    .filter(({ offers }) => offers.length > 0);
}

/** Makes the test of a search: a text must contain each of its words. */
function matcherOf(query: string): (text: string) => boolean {
  const words = query.toLowerCase().split(/[\s:]+/);
  return (text) => words.every((word) => text.toLowerCase().includes(word));
}

type Ranked = Pick<Asked, "query" | "matches"> & { isOffered(label: string): boolean };

/** The matching entries. Those with the whole search in their name are first, those with its words elsewhere last. */
function ranked(all: Action[], { query, matches, isOffered }: Ranked): Action[] {
  const isPhrase = ({ label }: Action) => Number(label.toLowerCase().includes(query.toLowerCase()));
  const named = all
    .filter(({ label, isAsked }) => matches(label) && !isOffered(label) && (!isAsked || query !== ""))
    .sort((a, b) => isPhrase(b) - isPhrase(a));
  const about = all.filter(({ label, words = "" }) => query !== "" && !matches(label) && matches(words));
  return [...named, ...about];
}

const searching = (value: string) => ({
  filters: [{ match: "all" as const, conditions: [{ about: "search" as const, value }], not: [] }],
});

/** Searches people. The previous results stay until the next arrive. */
function usePeopleSearch(query: string) {
  const { newsletterId } = useViewer();
  const [search] = useDebouncedValue(query.trim(), 120);
  const found = api.people.page.useQuery(
    { newsletterId, filter: searching(search), order: "newest", from: null, limit: 6 },
    { enabled: search !== "", placeholderData: keepPreviousData },
  );
  // Results arrive after the typing. Then Enter opens the first result instead of the former entry.
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each answer
  useEffect(() => selectFirst(), [found.data]);
  return { search, people: found.data?.items ?? [], searching: found.isFetching };
}

/** The ⌘K palette: opens pages, finds people and runs the page's actions. @param opened grows with each opening */
export default function Palette({ opened, onShortcuts }: { opened: number; onShortcuts(): void }) {
  const t = useTranslations("shell.palette");
  const labelOf = useVerbLabel();
  const router = useRouter();
  const { newsletterId, newsletter } = useViewer();
  const [query, setQuery] = useState("");
  const [creating, setCreating] = useState(false);
  const open = (path: string) => leave(() => router.push(path));
  const { search, people, searching } = usePeopleSearch(query);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each growth opens it
  useEffect(() => {
    // A text from before may remain while the closed palette fades.
    setQuery("");
    spotlight.open();
  }, [opened]);

  const asked = query.trim();
  const matches = matcherOf(asked);
  const offered = offeredOf({ query: asked, matches, labelOf, t });
  const isOffered = (label: string) =>
    offered.some(({ offers }) => offers.some(({ verb }) => labelOf(verb) === label));
  const all = useActions({ onShortcuts, onNewNewsletter: () => setCreating(true) });
  // Only previous results that match the current text stay. Enter must not open another person.
  const shown = people.filter(({ email, name }) => asked !== "" && matches(`${email} ${name}`));

  const groups = [
    ...offered.map(({ about: group, offers }) => ({
      group,
      actions: offers.map(({ verb, label = labelOf(verb), run }) => ({
        id: verb,
        label,
        rightSection: keyOf(verb) && <kbd>{keyOf(verb)}</kbd>,
        onClick: run,
      })),
    })),
    {
      group: t("groups.people"),
      actions: shown.map(({ id, email, name, status }) => ({
        id,
        label: email,
        description: name || undefined,
        rightSection: <StatusPill status={status} />,
        onClick: () => open(`/n/${newsletterId}/people?q=${encodeURIComponent(search)}&person=${id}`),
      })),
    },
    {
      group: t("groups.go"),
      actions: ranked(all, { query: asked, matches, isOffered }).map(({ label, icon: Icon, hint, go }) => ({
        id: label,
        label,
        leftSection: <Icon />,
        rightSection: hint && <kbd>{hint}</kbd>,
        onClick: () => (typeof go === "string" ? open(go) : go()),
      })),
    },
  ];

  return (
    <>
      <Spotlight
        store={store}
        query={query}
        onQueryChange={setQuery}
        shortcut={null}
        // Fixed at its top, so that results don't move the field.
        centered={false}
        yOffset="14vh"
        transitionProps={{ transition: "fade", duration: 120 }}
        actions={groups.filter(({ actions }) => actions.length > 0)}
        filter={(_, actions) => actions}
        nothingFound={searching ? t("searching") : t("nothing", { query: asked })}
        searchProps={{
          placeholder: t("placeholder", { newsletter: newsletter.name }),
          leftSection: <icons.search />,
          "aria-label": t("label"),
        }}
        scrollable
        maxHeight={420}
        overlayProps={{ backgroundOpacity: 0.3, blur: 0 }}
        radius="md"
      />
      {creating && <NewNewsletter onClose={() => setCreating(false)} />}
    </>
  );
}
