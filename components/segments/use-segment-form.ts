import { useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { Filter } from "@/server/subscribers/schema/filter";
import type { SavedSegment } from "@/server/subscribers/schema/segments";
import { useViewer } from "../shell/viewer";
import { filterOfView } from "../subscribers/conditions-of-view";
import { isSource } from "../subscribers/person-fields";
import type { PeopleView } from "../subscribers/view-state";
import { fromServer } from "../texts/server-sentences";
import { api, messageFor, rejectionOf } from "../trpc";
import { RejectedError } from "../ui/error-of";
import { useServerForm } from "../ui/form";
import { notify } from "../ui/notify";
import { useStatusWord } from "../ui/status-pill";
import { conditionErrors, filterOfDraft } from "./drafts";
import { type Subject, subjectsOf } from "./subjects";
import { useDrafts } from "./use-drafts";
import { useMatching } from "./use-matching";

/** Maximum characters of conditions in the page's address. A saved segment's conditions take none. */
const LONGEST_IN_ADDRESS = 3000;

type Options = {
  view: PeopleView;
  /** The segment to change; null creates a segment from the list's filters. */
  changed: SavedSegment | null;
  onClose(): void;
};

/** The filter with which the editor opens. */
function beginWith({ view, changed }: Options) {
  // The page's address is untrusted input.
  const base = Filter.safeParse(view.unsaved ?? view.saved?.filter).data ?? null;
  return changed ? { filter: base, isLeftOut: false } : filterOfView(view, view.knownFields, base);
}

/** The editor's state: conditions, name, matching people, and the actions that show and save the segment. */
export function useSegmentForm(options: Options) {
  const { view, changed, onClose } = options;
  const t = useTranslations("segments");
  const statusWord = useStatusWord();
  const tSource = useTranslations("people.source");
  const subjects = useMemo(() => {
    const names = {
      status: statusWord,
      source: (source: string) => (isSource(source) ? tSource(source) : source),
    };
    return subjectsOf(t, names, view.knownFields);
  }, [t, tSource, statusWord, view.knownFields]);
  const [{ filter: begun, isLeftOut }] = useState(() => beginWith(options));
  const drafts = useDrafts(begun, subjects[0] as Subject);
  const parsed = Filter.safeParse(filterOfDraft(drafts.draft, subjects));
  const matching = useMatching(parsed.data);
  const [tried, setTried] = useState(false);
  const saving = useSaving(options);

  function show(filter: Filter) {
    const isSaved = changed?.isNested === false && JSON.stringify(filter) === JSON.stringify(changed.filter);
    if (!isSaved && encodeURIComponent(JSON.stringify(filter)).length > LONGEST_IN_ADDRESS)
      throw new RejectedError({ message: t("editor.tooLong"), errors: {}, code: null });
    view.showUnsaved(isSaved ? null : filter, { isNew: changed === null });
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
    isLeftOut,
    isBlank: begun === null,
    clash: saving.clash,
    // Incomplete conditions are reported only after an attempt to show or save.
    errors: { ...(tried && conditionErrors(issuesOf(parsed.error))), ...matching.errors },
  };
}

const issuesOf = (error?: { issues: { path: PropertyKey[]; message: string }[] }) =>
  (error?.issues ?? []).map(({ path, message }): [string, string] => [path.join("."), fromServer(message)]);

function focusInvalid(element: HTMLElement | null) {
  setTimeout(() => element?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
}

/** Saves the segment with its read version, and reports a conflict with a newer version. */
function useSaving({ view, changed, onClose }: Options) {
  const t = useTranslations("segments.editor");
  const { newsletterId } = useViewer();
  const utils = api.useUtils();
  const [read, setRead] = useState(changed);
  const [clash, setClash] = useState<string | null>(null);
  const create = api.segments.create.useMutation();
  const change = api.segments.change.useMutation();
  const readList = () => utils.segments.list.fetch({ newsletterId }, { staleTime: 0 });

  async function save(name: string, filter: Filter) {
    const columns = view.columnsInAddress ?? (read ? read.columns : view.columns.map((one) => one.name));
    const segment = { name, filter, order: view.sort, columns };
    try {
      const { id } = read
        ? await change.mutateAsync({ newsletterId, id: read.id, version: read.version, segment })
        : await create.mutateAsync({ newsletterId, ...segment });
      // The list is read first, so the page's heading has the new name at once.
      await readList();
      notify(t("saved", { name: name.trim() }));
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
    /** The reason for a rejected save. The next save compares with the version read now. */
    clash: clash && { message: clash, isGone: read === null },
  };
}

/** Moves a message about the segment's name to the name input, wherever in the input it was. */
const underName = (rejection: ReturnType<typeof rejectionOf>) => {
  const name = rejection.errors["segment.name"];
  return name ? { ...rejection, errors: { ...rejection.errors, name } } : rejection;
};
