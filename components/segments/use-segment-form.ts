import { useMemo, useState } from "react";
import { type SavedSegment, SegmentGroups } from "@/server/contract/segments";
import type { PeopleView } from "../people/view-state";
import { useViewer } from "../shell/viewer";
import { api, messageFor, rejectionOf } from "../trpc";
import { RejectedError } from "../ui/error-of";
import { useServerForm } from "../ui/form";
import { notify } from "../ui/notify";
import { conditionErrors, groupsOfDrafts } from "./drafts";
import { groupsOfView } from "./groups-of-view";
import { type Subject, subjectsOf } from "./subjects";
import { useDrafts } from "./use-drafts";
import { useMatching } from "./use-matching";

/** As much of the page's address as conditions may take; a saved segment's take none of it. */
const LONGEST_IN_ADDRESS = 3000;
const tooLong =
  "These conditions are too many for the page's address. Save them: a saved segment can be shown.";

type Options = {
  view: PeopleView;
  /** The segment that is changed; null: a new one, of what narrows the list. */
  changed: SavedSegment | null;
  onClose(): void;
};

/** What an editor begins with, in the moment in which it is opened. */
function beginWith({ view, changed }: Options) {
  // The address may be anybody's.
  const base = SegmentGroups.safeParse(view.groups ?? view.saved?.groups).data ?? [];
  return changed ? { groups: base, isCut: false } : groupsOfView(view, view.knownFields, base);
}

/** The conditions and the name of a segment while it is edited, who matches, and what showing and saving do. */
export function useSegmentForm(options: Options) {
  const { view, changed, onClose } = options;
  const subjects = useMemo(() => subjectsOf(view.knownFields), [view.knownFields]);
  const [{ groups: begun, isCut }] = useState(() => beginWith(options));
  const drafts = useDrafts(begun, subjects[0] as Subject);
  const parsed = SegmentGroups.safeParse(groupsOfDrafts(drafts.groups, subjects));
  const matching = useMatching(parsed.data);
  const [tried, setTried] = useState(false);
  const saving = useSaving(options);

  function show(groups: SegmentGroups) {
    const isSaved = changed !== null && JSON.stringify(groups) === JSON.stringify(changed.groups);
    if (!isSaved && encodeURIComponent(JSON.stringify(groups)).length > LONGEST_IN_ADDRESS)
      throw new RejectedError({ message: tooLong, errors: {}, code: null });
    view.showGroups(isSaved ? null : groups, { isNew: changed === null });
    onClose();
  }

  const form = useServerForm({ name: changed?.name ?? "" }, async ({ name }, { submitter }) => {
    setTried(true);
    if (!parsed.data) return focusInvalid(drafts.element.current);
    if (submitter === "save") await saving.save(name, parsed.data);
    else show(parsed.data);
  });

  return {
    form,
    drafts,
    subjects,
    matching,
    isCut,
    isBlank: begun.length === 0,
    clash: saving.clash,
    /** The segment as somebody else has saved it meanwhile, in place of what is typed. */
    showTheirs() {
      const theirs = saving.takeTheirs();
      if (!theirs) return;
      form.setFieldValue("name", theirs.name);
      drafts.begin(theirs.groups);
    },
    // What is not complete is said once somebody wanted to go on with it.
    errors: { ...(tried && conditionErrors(issuesOf(parsed.error))), ...matching.errors },
  };
}

const issuesOf = (error?: { issues: { path: PropertyKey[]; message: string }[] }) =>
  (error?.issues ?? []).map(({ path, message }): [string, string] => [
    ["groups", ...path].join("."),
    message,
  ]);

function focusInvalid(element: HTMLElement | null) {
  setTimeout(() => element?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
}

/** Saves the segment over the version that was read, and hears when that is not the latest. */
function useSaving({ view, changed, onClose }: Options) {
  const { newsletterId } = useViewer();
  const utils = api.useUtils();
  const [read, setRead] = useState(changed);
  const [clash, setClash] = useState<string | null>(null);
  const create = api.segments.create.useMutation();
  const change = api.segments.change.useMutation();
  const readList = () => utils.segments.list.fetch({ newsletterId }, { staleTime: 0 });

  async function save(name: string, groups: SegmentGroups) {
    const columns = view.columnsInAddress ?? (read ? read.columns : view.columns.map((one) => one.name));
    const segment = { name, groups, order: view.sort, columns };
    try {
      const { id } = read
        ? await change.mutateAsync({ newsletterId, id: read.id, version: read.version, segment })
        : await create.mutateAsync({ newsletterId, ...segment });
      // The page's heading is its name from the start.
      await readList();
      notify(`The segment ${name.trim()} is saved.`);
      view.showSaved(id, { isNew: changed === null });
      onClose();
    } catch (error) {
      const rejection = rejectionOf(error);
      const message = rejection.code === "not_found" ? rejection.message : messageFor(rejection, "version");
      if (!read || !message) throw new RejectedError(underName(rejection));
      setRead((await readList()).find(({ id }) => id === read.id) ?? null);
      setClash(message);
    }
  }

  return {
    save,
    /** Why nothing was saved; what is read now is what the next save is compared with. */
    clash: clash && { message: clash, isGone: read === null },
    takeTheirs() {
      setClash(null);
      return read;
    },
  };
}

/** A message about the segment's name stands at the name, wherever in the input it was. */
const underName = (rejection: ReturnType<typeof rejectionOf>) => {
  const name = rejection.errors["segment.name"];
  return name ? { ...rejection, errors: { ...rejection.errors, name } } : rejection;
};
