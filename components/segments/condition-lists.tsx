"use client";
import { ActionIcon, Button, NativeSelect } from "@mantine/core";
import { useTranslations } from "use-intl";
import type { Filter } from "@/server/subscribers/schema/filter";
import { icons } from "../ui/icons";
import { ConditionValue } from "./condition-value";
import { blankCondition, type ConditionDraft, type ListName, testedBy } from "./drafts";
import styles from "./segments.module.css";
import { type Subject, subjectOf } from "./subjects";
import type { Drafts } from "./use-drafts";

const matches = ["all", "any"] as const;

type Props = {
  drafts: Drafts;
  subjects: Subject[];
  /** Messages by list and number, such as "not.1". */
  errors: Record<string, string>;
  /** The first condition has the focus when the dialog opens. */
  focused: boolean;
};

/** Edits a segment's conditions in rows: required conditions, and excluded ones (`not`). */
export function ConditionLists({ drafts, ...props }: Props) {
  const t = useTranslations("segments.conditions");
  const { draft } = drafts;
  return (
    <div ref={drafts.element} className={styles.lists}>
      <section className={styles.list} aria-label={t("label")}>
        <NativeSelect
          aria-label={t("matchLabel")}
          className={styles.match}
          data={matches.map((value) => ({ value, label: t(`match.${value}`) }))}
          value={draft.match}
          onChange={(event) => drafts.setMatch(event.currentTarget.value as Filter["match"])}
        />
        <ConditionList list="conditions" drafts={drafts} {...props} />
      </section>
      <section className={styles.list} aria-label={t("noneOf")}>
        <h3>{t("noneOf")}</h3>
        <ConditionList list="not" drafts={drafts} {...props} />
      </section>
    </div>
  );
}

function ConditionList({ list, drafts, subjects, errors, focused }: Props & { list: ListName }) {
  const t = useTranslations("segments.conditions");
  return (
    <>
      {drafts.draft[list].length > 0 && (
        <ul>
          {drafts.draft[list].map((condition, i) => (
            <ConditionRow
              key={condition.row}
              draft={condition}
              number={i + 1}
              subjects={subjects}
              error={errors[`${list}.${i}`]}
              focused={focused && list === "conditions" && i === 0}
              onChange={(changed) => drafts.setCondition(list, changed)}
              onRemove={() => drafts.removeCondition(list, condition.row)}
            />
          ))}
        </ul>
      )}
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<icons.add />}
        onClick={() => drafts.addCondition(list)}
      >
        {t("add")}
      </Button>
    </>
  );
}

type RowProps = {
  draft: ConditionDraft;
  number: number;
  subjects: Subject[];
  error: string | undefined;
  focused: boolean;
  onChange(draft: ConditionDraft): void;
  onRemove(): void;
};

function ConditionRow({ draft, number, subjects, error, focused, onChange, onRemove }: RowProps) {
  const t = useTranslations("segments.conditions");
  const subject = subjectOf(subjects, draft);
  const known = subjects.includes(subject) ? subjects : [...subjects, subject];
  const [only, ...others] = subject.tests;
  return (
    <li data-condition={draft.row}>
      <fieldset className={styles.condition} aria-label={t("numbered", { n: number })}>
        <NativeSelect
          aria-label={t("subject")}
          data-autofocus={focused || undefined}
          data={known.map((one) => ({
            value: one.about,
            label: one.isDeleted ? t("deletedField", { key: one.word }) : one.word,
          }))}
          value={subject.about}
          onChange={(event) => {
            const chosen = subjects.find((one) => one.about === event.currentTarget.value);
            if (chosen) onChange({ ...blankCondition(chosen), row: draft.row });
          }}
        />
        {others.length > 0 ? (
          <NativeSelect
            aria-label={t("test")}
            data={subject.tests}
            value={draft.part ?? draft.test}
            onChange={(event) => onChange(testedBy(draft, event.currentTarget.value))}
          />
        ) : (
          <span className={styles.how}>{only?.label}</span>
        )}
        <div className={styles.value}>
          <ConditionValue draft={draft} subject={subject} invalid={error !== undefined} onChange={onChange} />
        </div>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={34}
          aria-label={t("remove", { n: number })}
          onClick={onRemove}
        >
          <icons.close />
        </ActionIcon>
        {error && (
          <p className={styles.error} role="alert">
            {error}
          </p>
        )}
      </fieldset>
    </li>
  );
}
