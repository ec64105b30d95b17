"use client";
import { Button, Stack, TextInput } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { type KeyboardEvent, useRef } from "react";
import { useTranslations } from "use-intl";
import type { SavedSegment } from "@/server/subscribers/schema/segments";
import { useViewer } from "../shell/viewer";
import type { PeopleView } from "../subscribers/view-state";
import { Dialog } from "../ui/dialog";
import { Problem } from "../ui/form";
import kit from "../ui/kit.module.css";
import { ConditionLists } from "./condition-lists";
import { segmentPresets } from "./presets";
import styles from "./segments.module.css";
import { useSegmentForm } from "./use-segment-form";

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
  const { mayEdit } = useViewer();
  const isNarrow = useMediaQuery("(max-width: 640px)", undefined, { getInitialValueInEffect: false });
  const editing = useSegmentForm({ view, changed, onClose });
  const { form, drafts, clash, isBlank } = editing;
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
              label={t("name")}
              autoComplete="off"
              data-autofocus={renames || undefined}
              onKeyDown={onNameKey}
              {...form.getInputProps("name")}
            />
          )}
          {isBlank && (
            <Presets
              onChoose={({ key, filter }) => {
                drafts.begin(filter);
                form.setFieldValue("name", t(`presets.${key}`));
              }}
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
          {clash && (
            <Problem>
              {clash.message} {clash.isGone && t("savingCreates")}
            </Problem>
          )}
          <div className={styles.foot}>
            <Matching {...editing.matching} />
            <Button type="submit" value="show" variant={mayEdit ? "default" : "filled"}>
              {t("show")}
            </Button>
            {mayEdit && (
              <Button ref={saveButton} type="submit" value="save" loading={form.busy}>
                {clash && !clash.isGone ? t("saveMine") : t("save")}
              </Button>
            )}
          </div>
        </Stack>
      </form>
    </Dialog>
  );
}

/** Offers common segments. */
function Presets({ onChoose }: { onChoose(preset: (typeof segmentPresets)[number]): void }) {
  const t = useTranslations("segments.editor");
  return (
    <div className={styles.presets}>
      {t("startWith")}
      {segmentPresets.map((preset) => (
        <Button key={preset.key} variant="default" size="compact-sm" onClick={() => onChoose(preset)}>
          {t(`presets.${preset.key}`)}
        </Button>
      ))}
    </div>
  );
}

type MatchingProps = { people: number | null; isStale: boolean; problem: string | null };

/** The number of matching people. The previous number stays, paler, until the new one arrives. */
function Matching({ people: matching, isStale, problem }: MatchingProps) {
  const t = useTranslations("segments.editor");
  if (problem) return <p className={kit.problem}>{problem}</p>;
  return (
    <p aria-live="polite" data-stale={isStale || undefined}>
      {matching === null ? "" : t("matching", { n: matching })}
    </p>
  );
}
