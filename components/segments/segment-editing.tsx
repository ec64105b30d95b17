import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslations } from "use-intl";
import type { SavedSegment } from "@/server/subscribers/schema/segments";
import { useViewer } from "../shell/viewer";
import type { PeopleView } from "../subscribers/view-state";
import { FilterChip } from "../ui/choice";
import { Menu } from "../ui/floating";
import { MoreMenu } from "../ui/more-menu";
import { onDemand } from "../ui/on-demand";

// The inputs and the schema of a segment are larger than the whole list page.
const SegmentEditor = onDemand(() => import("./segment-editor"));
const DeleteSegment = onDemand(() => import("./delete-segment"));

type Opened = "edit" | "rename" | "new" | "delete";

/** Tracks the segment dialog that is open over the list. */
export function useSegmentEditing(view: PeopleView) {
  const [opened, setOpened] = useState<{ what: Opened; segment: SavedSegment | null } | null>(null);
  const open = (what: Opened) => setOpened({ what, segment: what === "new" ? null : view.saved });
  const close = () => setOpened(null);
  if (!opened) return { open, dialog: null };
  const { what, segment } = opened;
  const dialog =
    what === "delete" && segment ? (
      <DeleteSegment segment={segment} onDeleted={view.clear} onClose={close} />
    ) : (
      <SegmentEditor view={view} changed={segment} renames={what === "rename"} onClose={close} />
    );
  return { open, dialog };
}

type SegmentEditing = ReturnType<typeof useSegmentEditing>;

type Props = { view: PeopleView; editing: SegmentEditing };

export function SegmentMenu({ view, editing }: Props) {
  const t = useTranslations("segments.menu");
  const { mayEdit } = useViewer();
  if (!view.saved) return null;
  return (
    <MoreMenu label={t("label", { name: view.saved.name })}>
      {mayEdit && <Menu.Item onClick={() => editing.open("edit")}>{t("edit")}</Menu.Item>}
      {mayEdit && !view.saved.isNested && (
        <>
          <Menu.Item onClick={() => editing.open("rename")}>{t("rename")}</Menu.Item>
          <Menu.Item onClick={() => editing.open("new")}>{t("saveAsAnother")}</Menu.Item>
        </>
      )}
      <Menu.Item onClick={view.clear}>{t("showAll")}</Menu.Item>
      {mayEdit && (
        <Menu.Item color="red" onClick={() => editing.open("delete")}>
          {t("delete")}
        </Menu.Item>
      )}
    </MoreMenu>
  );
}

/** Opens the editor for the shown segment, or for a new segment with the list's filters. */
export function SegmentButton({ view, editing }: Props) {
  const t = useTranslations("segments.button");
  const { mayEdit } = useViewer();
  const word = view.saved ? t("edit") : view.filtered ? t("saveAs") : t("new");
  return (
    <Button variant="subtle" color="gray" onClick={() => editing.open(view.saved ? "edit" : "new")}>
      {mayEdit ? word : t("conditions")}
    </Button>
  );
}

/** Shows that the list has conditions that are not saved; its button removes them. */
export function SegmentChip({ view }: Pick<Props, "view">) {
  const t = useTranslations("segments.chip");
  const { unsaved, saved, segment } = view;
  const isGone = segment !== null && saved === null;
  if (unsaved === null && !isGone) return null;
  // The page's address is untrusted input.
  const n = (unsaved?.conditions?.length ?? 0) + (unsaved?.not?.length ?? 0);
  const [word, label] = isGone
    ? [t("gone"), t("goneLabel")]
    : saved
      ? [t("changed"), t("changedLabel")]
      : [t("conditions", { n }), t("conditionsLabel", { n })];
  return (
    <FilterChip label={label} onRemove={() => view.show({ unsaved: null, ...(!saved && { segment: null }) })}>
      {word}
    </FilterChip>
  );
}
