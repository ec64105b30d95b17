"use client";
import { ActionIcon, Button, NativeSelect } from "@mantine/core";
import type { Filter } from "@/server/contract/filter";
import { icons } from "../ui/icons";
import { ConditionValue } from "./condition-value";
import { type ConditionDraft, type ListName, testedBy, turnTo } from "./drafts";
import styles from "./segments.module.css";
import { type Subject, subjectOf } from "./subjects";
import type { Drafts } from "./use-drafts";

const matches: { value: Filter["match"]; label: string }[] = [
  { value: "all", label: "All of" },
  { value: "any", label: "Any of" },
];

type Props = {
  drafts: Drafts;
  subjects: Subject[];
  /** Messages by list and number, such as "not.1". */
  errors: Record<string, string>;
  /** The first condition has the focus when the dialog opens. */
  focused: boolean;
};

/** The conditions of a segment in rows: those that hold, and those that don't. */
export function ConditionLists({ drafts, ...props }: Props) {
  const { draft } = drafts;
  return (
    <div ref={drafts.element} className={styles.lists}>
      <section className={styles.list} aria-label="Conditions">
        <NativeSelect
          aria-label="Conditions to match"
          className={styles.match}
          data={matches}
          value={draft.match}
          onChange={(event) => drafts.setMatch(event.currentTarget.value as Filter["match"])}
        />
        <ConditionList list="conditions" drafts={drafts} {...props} />
      </section>
      <section className={styles.list} aria-label="None of">
        <h3>None of</h3>
        <ConditionList list="not" drafts={drafts} {...props} />
      </section>
    </div>
  );
}

function ConditionList({ list, drafts, subjects, errors, focused }: Props & { list: ListName }) {
  return (
    <>
      {drafts.draft[list].length > 0 && (
        <ul>
          {drafts.draft[list].map((condition, i) => (
            <ConditionRow
              key={condition.key}
              draft={condition}
              number={i + 1}
              subjects={subjects}
              error={errors[`${list}.${i}`]}
              focused={focused && list === "conditions" && i === 0}
              onChange={(changed) => drafts.setCondition(list, changed)}
              onRemove={() => drafts.removeCondition(list, condition.key)}
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
        Add a condition
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
  const { about, test } = draft;
  const subject = subjectOf(subjects, about);
  const known = subjects.includes(subject) ? subjects : [...subjects, subject];
  const [only, ...others] = subject.tests;
  return (
    <li data-condition={draft.key}>
      <fieldset className={styles.condition} aria-label={`Condition ${number}`}>
        <NativeSelect
          aria-label="What"
          data-autofocus={focused || undefined}
          data={known.map((one) => ({ value: one.about, label: one.word }))}
          value={about}
          onChange={(event) => onChange(turnTo(draft, subjectOf(subjects, event.currentTarget.value)))}
        />
        {others.length > 0 ? (
          <NativeSelect
            aria-label="How"
            data={subject.tests}
            value={test}
            onChange={(event) => onChange(testedBy(draft, event.currentTarget.value, subject))}
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
          aria-label={`Remove condition ${number}`}
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
