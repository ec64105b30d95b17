import { ActionIcon, Button, MultiSelect, NativeSelect, TextInput } from "@mantine/core";
import { useTranslations } from "use-intl";
import type { Filter } from "@/server/subscribers/schema/filter";
import { importName } from "../imports/import-words";
import { useViewer } from "../shell/viewer";
import { FieldInput, TagSelect } from "../subscribers/attribute-inputs";
import { api } from "../trpc";
import { icons } from "../ui/icons";
import kit from "../ui/kit.module.css";
import { blankCondition, type ConditionDraft, type Drafts, type ListName, testedBy } from "./drafts";
import styles from "./segments.module.css";
import { needsDays, needsNoValue, type Subject, subjectOf } from "./subjects";

const matches = ["all", "any"] as const;

type Props = {
  drafts: Drafts;
  subjects: Subject[];
  /** Messages by list and number, such as "not.1". */
  errors?: Record<string, string>;
  /** The first condition has the focus when the dialog opens. */
  focused?: boolean;
  /** The segment's name, where another segment's conditions are shown as well. */
  name?: string;
};

/** Edits a segment's conditions in rows: required conditions, and excluded ones (`not`). */
export function ConditionLists({ drafts, name, ...props }: Props) {
  const t = useTranslations("segments.conditions");
  const { draft } = drafts;
  const labelOf = (list: string) => (name === undefined ? list : `${name}: ${list}`);
  return (
    <div ref={drafts.element} className={styles.lists}>
      <section className={styles.list} aria-label={labelOf(t("label"))}>
        <NativeSelect
          aria-label={t("matchLabel")}
          className={styles.match}
          data={matches.map((value) => ({ value, label: t(`match.${value}`) }))}
          value={draft.match}
          onChange={(event) => drafts.setMatch(event.currentTarget.value as Filter["match"])}
        />
        <ConditionList list="conditions" drafts={drafts} {...props} />
      </section>
      <section className={styles.list} aria-label={labelOf(t("noneOf"))}>
        <h3>{t("noneOf")}</h3>
        <ConditionList list="not" drafts={drafts} {...props} />
      </section>
    </div>
  );
}

function ConditionList({ list, drafts, subjects, errors, focused = false }: Props & { list: ListName }) {
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
              error={errors?.[`${list}.${i}`]}
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
        <ActionIcon size={34} aria-label={t("remove", { n: number })} onClick={onRemove}>
          <icons.close />
        </ActionIcon>
        {error && (
          <p className={`${kit.problem} ${styles.error}`} role="alert">
            {error}
          </p>
        )}
      </fieldset>
    </li>
  );
}

type ValueProps = {
  draft: ConditionDraft;
  subject: Subject;
  invalid: boolean;
  onChange(draft: ConditionDraft): void;
};

/** The input for a condition's value. It depends on the subject and the test. */
function ConditionValue({ draft, subject, invalid, onChange }: ValueProps) {
  const t = useTranslations("segments.value");
  const { test, value = "", is: chosen = [], days, at } = draft;
  const set = (change: Partial<ConditionDraft>) => onChange({ ...draft, ...change });
  const props = { "aria-label": t("label"), error: invalid };
  const several = {
    ...props,
    classNames: { inputField: styles.listInput },
    placeholder: chosen.length > 0 ? "" : t("choose"),
    value: chosen,
    onChange: (is: string[]) => set({ is }),
  };
  if (needsNoValue(test)) return null;
  switch (subject.input) {
    case "several":
      return <MultiSelect {...several} data={subject.options ?? []} />;
    case "tags":
      return <TagSelect {...several} aria-label={t("tags")} />;
    case "import":
      return <ImportValue {...props} value={draft.id ?? ""} onChoose={(id) => set({ id })} />;
    case "time":
      if (needsDays(test))
        return (
          <TextInput
            {...props}
            aria-label={t("days")}
            inputMode="numeric"
            autoComplete="off"
            maxLength={5}
            rightSection={t("daysUnit")}
            rightSectionWidth={48}
            value={days ?? ""}
            onChange={(event) =>
              set({ days: Number(event.currentTarget.value.replace(/\D/g, "")) || undefined })
            }
          />
        );
      return (
        <TextInput
          {...props}
          aria-label={t("day")}
          type="date"
          value={dayOfMoment(at)}
          onChange={(event) => set({ at: momentOfDay(event.currentTarget.value) })}
        />
      );
    case "field":
      return (
        subject.field && (
          <FieldInput
            {...props}
            field={{ ...subject.field, label: "" }}
            none={t("choose")}
            value={value}
            onChange={(event) => set({ value: event.currentTarget.value })}
          />
        )
      );
    default:
      return (
        <TextInput
          {...props}
          autoComplete="off"
          value={value}
          onChange={(event) => set({ value: event.currentTarget.value })}
        />
      );
  }
}

/** A moment's day in the reader's time zone, YYYY-MM-DD. The moment stays until the reader picks another day. */
const dayOfMoment = (at?: string) => (at ? new Date(at).toLocaleDateString("sv-SE") : "");
/** The first moment of a day in the reader's time zone. */
const momentOfDay = (day: string) => (day ? new Date(`${day}T00:00:00`).toISOString() : undefined);

type ImportProps = { value: string; error: boolean; onChoose(id: string): void };

/** Selects one of the latest imports, or keeps an older chosen one. */
function ImportValue({ value, error, onChoose }: ImportProps) {
  const t = useTranslations("segments.value");
  const tImports = useTranslations("imports");
  const { newsletterId } = useViewer();
  const { data: listed } = api.imports.list.useQuery({ newsletterId });
  const isListed = value === "" || !listed || listed.items.some(({ id }) => id === value);
  const { data: other } = api.imports.get.useQuery({ newsletterId, importId: value }, { enabled: !isListed });
  const imports = [...(listed?.items ?? []), ...(other ? [other] : [])].filter(({ number }) => number > 0);
  return (
    <NativeSelect
      aria-label={t("import")}
      error={error}
      data={[
        { value: "", label: t("chooseImport") },
        ...imports.map((one) => ({ value: one.id, label: importName(one, tImports) })),
      ]}
      value={value}
      onChange={(event) => onChoose(event.currentTarget.value)}
    />
  );
}
