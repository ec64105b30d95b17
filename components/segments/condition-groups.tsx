"use client";
import { ActionIcon, Button, NativeSelect } from "@mantine/core";
import type { GroupMatch } from "@/server/contract/segments";
import { icons } from "../ui/icons";
import { ConditionValue } from "./condition-value";
import { type ConditionDraft, testedBy, turnTo } from "./drafts";
import styles from "./segments.module.css";
import { type Subject, subjectOf } from "./subjects";
import type { Drafts } from "./use-drafts";

const matchWords: Record<GroupMatch, string> = { all: "All of", any: "Any of", none: "None of" };
const matches = Object.entries(matchWords).map(([value, label]) => ({ value, label }));

type Props = {
  drafts: Drafts;
  subjects: Subject[];
  /** Messages by "group.condition". */
  errors: Record<string, string>;
  /** The first condition has the focus when the dialog opens. */
  focused: boolean;
};

/** The groups of a segment, each with its conditions in rows. */
export function ConditionGroups({ drafts, subjects, errors, focused }: Props) {
  return (
    <div ref={drafts.element} className={styles.groups}>
      {drafts.groups.map(({ key, match, conditions }, g) => (
        <section key={key} className={styles.group} aria-label={`Group ${g + 1}`}>
          <div className={styles.match}>
            {g > 0 && <span>and</span>}
            <NativeSelect
              aria-label={`How group ${g + 1} is put together`}
              data={matches}
              value={match}
              onChange={(event) => drafts.setMatch(key, event.currentTarget.value as GroupMatch)}
            />
          </div>
          <ul>
            {conditions.map((condition, c) => (
              <ConditionRow
                key={condition.key}
                draft={condition}
                number={c + 1}
                subjects={subjects}
                error={errors[`${g}.${c}`]}
                focused={focused && g + c === 0}
                onChange={(changed) => drafts.setCondition(key, changed)}
                onRemove={() => drafts.removeCondition(key, condition.key)}
              />
            ))}
          </ul>
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<icons.add />}
            onClick={() => drafts.addCondition(key)}
          >
            Add a condition
          </Button>
        </section>
      ))}
      <Button variant="default" leftSection={<icons.add />} onClick={drafts.addGroup}>
        Add a group
      </Button>
    </div>
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
