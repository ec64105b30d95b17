import { Button, Stack, TextInput } from "@mantine/core";
import { useDebouncedValue, useMediaQuery } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";
import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { Filter } from "@/server/subscribers/schema/filter";
import type { SavedSegment } from "@/server/subscribers/schema/segments";
import { useViewer } from "../shell/viewer";
import { filterOfView } from "../subscribers/conditions-of-view";
import type { PeopleView } from "../subscribers/view-state";
import { fromServer } from "../texts/server-sentences";
import { api, rejectionOf } from "../trpc";
import { Theirs, useConflict } from "../ui/conflict";
import { Dialog } from "../ui/dialog";
import { RejectedError, rejected } from "../ui/error-of";
import { useServerForm } from "../ui/form";
import kit from "../ui/kit.module.css";
import { notify } from "../ui/notify";
import { Facts } from "../ui/side-panel";
import { Problem } from "../ui/states";
import { useStatusWord } from "../ui/status-pill";
import { ConditionLists } from "./condition-lists";
import { conditionErrors, filterOfDraft, useDrafts } from "./drafts";
import styles from "./segments.module.css";
import { type Subject, subjectsOf } from "./subjects";

type Props = {
  view: PeopleView;
  /** The segment to change; null creates a segment from the list's filters. */
  changed: SavedSegment | null;
  /** Focuses the name instead of the first condition. */
  renames: boolean;
  onClose(): void;
};

/** Creates or changes a segment and counts its people meanwhile. Staff without edit rights can only show it. */
export default function SegmentEditor({ view, changed, renames, onClose }: Props) {
  const t = useTranslations("segments.editor");
  const tConflict = useTranslations("ui.conflict");
  const { mayEdit } = useViewer();
  const isNarrow = useMediaQuery("(max-width: 640px)", undefined, { getInitialValueInEffect: false });
  const editing = useSegmentForm({ view, changed, onClose });
  const { form, drafts, matching, theirs } = editing;
  const saveButton = useRef<HTMLButtonElement>(null);
  const onNameKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    // Enter in other inputs shows the people, as the first button does.
    event.preventDefault();
    form.element.current?.requestSubmit(saveButton.current);
  };

  return (
    <Dialog
      onClose={onClose}
      title={changed ? t("title", { name: changed.name }) : t("newTitle")}
      size={800}
      fullScreen={isNarrow}
    >
      <form ref={form.element} onSubmit={form.submit} noValidate>
        <Stack gap="md">
          {mayEdit && (
            <TextInput
              {...form.input("name", t("name"))}
              autoComplete="off"
              data-autofocus={renames || undefined}
              onKeyDown={onNameKey}
            />
          )}
          {editing.isLeftOut && <p className={kit.quiet}>{t("leftOut")}</p>}
          {changed?.isNested && <Problem>{t("nested")}</Problem>}
          <ConditionLists
            drafts={drafts}
            subjects={editing.subjects}
            errors={editing.errors}
            focused={!renames}
          />
          {form.problem && <Problem>{form.problem}</Problem>}
          {editing.isGone && <p>{t("savingCreates")}</p>}
          {theirs && (
            <TheirSegment
              key={theirs.version}
              segment={theirs}
              opened={changed}
              view={view}
              subjects={editing.subjects}
            />
          )}
          <div className={styles.foot}>
            {matching.problem ? (
              <p className={kit.problem}>{matching.problem}</p>
            ) : (
              <p aria-live="polite" data-stale={matching.isStale || undefined}>
                {matching.people !== null && t("matching", { n: matching.people })}
              </p>
            )}
            {theirs && (
              <Button
                variant="default"
                onClick={() => view.showSaved(theirs.id, { isNew: false }).then(onClose)}
              >
                {tConflict("keepTheirs")}
              </Button>
            )}
            <Button type="submit" value="show" variant={mayEdit ? "default" : "filled"}>
              {t("show")}
            </Button>
            {mayEdit && (
              <Button ref={saveButton} type="submit" value="save" loading={form.busy}>
                {theirs ? tConflict("saveMine") : t("save")}
              </Button>
            )}
          </div>
        </Stack>
      </form>
    </Dialog>
  );
}

type TheirProps = {
  segment: SavedSegment;
  opened: SavedSegment | null;
  view: PeopleView;
  subjects: Subject[];
};

/** Shows the segment's name, and what else another person changed since the editor was opened. */
function TheirSegment({ segment, opened, view, subjects }: TheirProps) {
  const t = useTranslations("segments.editor");
  const tPeople = useTranslations("people");
  const drafts = useDrafts(segment.filter, subjects[0] as Subject);
  const { order, columns } = segment;
  const changed = (part: "filter" | "columns" | "order") =>
    JSON.stringify(segment[part]) !== JSON.stringify(opened?.[part]);
  const word = (name: string) => view.allColumns.find((column) => column.name === name)?.word ?? name;
  const shown = columns ? [tPeople("field.email"), ...columns.map(word)].join(", ") : t("ownColumns");
  return (
    <Theirs>
      <fieldset className={kit.form} disabled>
        <b>{segment.name}</b>
        <Facts
          facts={[
            [tPeople("columns.label"), changed("columns") && shown],
            [tPeople("filters.order"), changed("order") && tPeople(`order.${order}`)],
          ]}
        />
        {changed("filter") && <ConditionLists drafts={drafts} subjects={subjects} name={segment.name} />}
      </fieldset>
    </Theirs>
  );
}

/** Maximum characters of conditions in the page's address. A saved segment's conditions take none. */
const LONGEST_IN_ADDRESS = 3000;

type Options = Omit<Props, "renames">;

/** The filter with which the editor opens. */
function beginWith({ view, changed }: Options) {
  // The page's address is untrusted input.
  const base = Filter.safeParse(view.unsaved ?? view.saved?.filter).data ?? null;
  return changed ? { filter: base, isLeftOut: false } : filterOfView(view, view.knownFields, base);
}

/** The editor's state: conditions, name, matching people, and the actions that show and save the segment. */
function useSegmentForm(options: Options) {
  const { view, changed, onClose } = options;
  const t = useTranslations("segments");
  const statusWord = useStatusWord();
  const tSource = useTranslations("people.source");
  const subjects = useMemo(
    () => subjectsOf(t, { status: statusWord, source: (source) => tSource(source) }, view.knownFields),
    [t, tSource, statusWord, view.knownFields],
  );
  const [{ filter: begun, isLeftOut }] = useState(() => beginWith(options));
  const drafts = useDrafts(begun, subjects[0] as Subject);
  const parsed = Filter.safeParse(filterOfDraft(drafts.draft, subjects));
  const matching = useMatching(parsed.data);
  const [tried, setTried] = useState(false);
  const { save, isGone, theirs } = useSave(options);

  function show(filter: Filter) {
    const isSaved = changed?.isNested === false && JSON.stringify(filter) === JSON.stringify(changed.filter);
    if (!isSaved && encodeURIComponent(JSON.stringify(filter)).length > LONGEST_IN_ADDRESS)
      throw rejected(t("editor.tooLong"));
    view.showUnsaved(isSaved ? null : filter, { isNew: changed === null });
    onClose();
  }

  const form = useServerForm({ name: changed?.name ?? "" }, async ({ name }, { submitter }) => {
    setTried(true);
    if (!parsed.data) return focusInvalid(drafts.element.current);
    if (submitter === "save") await save(name, parsed.data);
    else show(parsed.data);
  });

  return {
    form,
    drafts,
    subjects,
    matching,
    isLeftOut,
    isGone,
    theirs,
    // Incomplete conditions are reported only after an attempt to show or save.
    errors: { ...(tried && conditionErrors(issuesOf(parsed.error))), ...matching.errors },
  };
}

const issuesOf = (error?: { issues: { path: PropertyKey[]; message: string }[] }) =>
  (error?.issues ?? []).map(({ path, message }): [string, string] => [path.join("."), fromServer(message)]);

function focusInvalid(element: HTMLElement | null) {
  setTimeout(() => element?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
}

/** Saves the segment. After another person's edit, the editor shows both versions. */
function useSave({ view, changed, onClose }: Options) {
  const t = useTranslations("segments.editor");
  const { newsletterId } = useViewer();
  const utils = api.useUtils();
  const create = api.segments.create.useMutation();
  const change = api.segments.change.useMutation();
  const current = changed && view.saved;
  const conflict = useConflict(current);

  function store(base: SavedSegment | null, { name, filter }: { name: string; filter: Filter }) {
    const columns = view.columnsInAddress ?? (base ? base.columns : view.columns.map((one) => one.name));
    const segment = { name, filter, order: view.sort, columns };
    return base
      ? change.mutateAsync({ newsletterId, id: base.id, version: base.version, segment })
      : create.mutateAsync({ newsletterId, ...segment });
  }

  async function save(name: string, filter: Filter) {
    const { id } = await conflict
      .save((base) => store(base, { name, filter }))
      .catch((error) => {
        throw new RejectedError(underName(rejectionOf(error)));
      });
    // The list is read first, so the page's heading has the new name at once.
    await utils.segments.list.fetch({ newsletterId }, { staleTime: 0 });
    notify(t("saved", { name: name.trim() }));
    view.showSaved(id, { isNew: changed === null });
    onClose();
  }

  return {
    save,
    theirs: conflict.isConflict ? current : null,
    /** Another person deleted the segment. The next save creates it again. */
    isGone: conflict.isConflict && current === null,
  };
}

/** Moves a message about the segment's name to the name input, wherever in the input it was. */
const underName = (rejection: ReturnType<typeof rejectionOf>) => {
  const name = rejection.errors["segment.name"];
  return name ? { ...rejection, errors: { ...rejection.errors, name } } : rejection;
};

const TYPING_MS = 300;

/**
 * Counts the people in a segment during editing. The previous count stays until the new one arrives.
 * @param filter undefined while a condition is not complete
 * @returns `problem`: the reason for a missing count
 */
function useMatching(filter: Filter | undefined) {
  const t = useTranslations("segments.editor");
  const { newsletterId } = useViewer();
  const text = JSON.stringify(filter ?? null);
  const [asked] = useDebouncedValue(text, TYPING_MS);
  const { data, error, isPlaceholderData } = api.people.matching.useQuery(
    { newsletterId, filter: { filters: [JSON.parse(asked) as Filter] } },
    {
      enabled: asked !== "null",
      placeholderData: keepPreviousData,
      trpc: { context: { apart: true } },
    },
  );
  const isCurrent = asked === text;
  const isStale = isPlaceholderData || !isCurrent || error !== null;
  const counted = { people: data?.people ?? null, isStale };
  if (!isCurrent || !error) return { ...counted, errors: {}, problem: null };
  const { errors, message } = rejectionOf(error);
  const byCondition = conditionErrors(Object.entries(errors).map(([path, [first = ""]]) => [path, first]));
  const isOfCondition = Object.keys(byCondition).length > 0;
  return { ...counted, errors: byCondition, problem: isOfCondition ? t("notCounted") : message };
}
