"use client";
import { MultiSelect, NativeSelect, TextInput } from "@mantine/core";
import { useTranslations } from "use-intl";
import { importName } from "../imports/import-words";
import { useViewer } from "../shell/viewer";
import { FieldInput } from "../subscribers/attribute-inputs";
import { api } from "../trpc";
import type { ConditionDraft } from "./drafts";
import styles from "./segments.module.css";
import { needsDays, needsNoValue, type Subject } from "./subjects";

type Props = {
  draft: ConditionDraft;
  subject: Subject;
  invalid: boolean;
  onChange(draft: ConditionDraft): void;
};

/** The input for a condition's value. It depends on the subject and the test. */
export function ConditionValue({ draft, subject, invalid, onChange }: Props) {
  const t = useTranslations("segments.value");
  const { test, typed } = draft;
  const type = (text: string) => onChange({ ...draft, typed: text });
  const props = { "aria-label": t("label"), error: invalid };
  if (needsNoValue(test)) return null;
  switch (subject.input) {
    case "several":
      return (
        <MultiSelect
          {...props}
          classNames={{ inputField: styles.listInput }}
          data={subject.options ?? []}
          placeholder={draft.chosen.length > 0 ? "" : t("choose")}
          value={draft.chosen}
          onChange={(chosen) => onChange({ ...draft, chosen })}
        />
      );
    case "tags":
      return <TagValue draft={draft} invalid={invalid} onChange={onChange} />;
    case "import":
      return <ImportValue {...props} value={typed} onChoose={type} />;
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
            value={typed}
            onChange={(event) => type(event.currentTarget.value.replace(/\D/g, ""))}
          />
        );
      return (
        <TextInput
          {...props}
          aria-label={t("day")}
          type="date"
          value={dayOfMoment(typed)}
          onChange={(event) => type(momentOfDay(event.currentTarget.value))}
        />
      );
    case "field":
      return (
        subject.field && (
          <FieldInput
            {...props}
            field={{ ...subject.field, label: "" }}
            none={t("choose")}
            value={typed}
            onChange={(event) => type(event.currentTarget.value)}
          />
        )
      );
    default:
      return (
        <TextInput
          {...props}
          autoComplete="off"
          value={typed}
          onChange={(event) => type(event.currentTarget.value)}
        />
      );
  }
}

/** A moment's day in the reader's time zone, YYYY-MM-DD. The moment stays until the reader picks another day. */
const dayOfMoment = (at: string) => (at === "" ? "" : new Date(at).toLocaleDateString("sv-SE"));
/** The first moment of a day in the reader's time zone. */
const momentOfDay = (day: string) => (day === "" ? "" : new Date(`${day}T00:00:00`).toISOString());

function TagValue({ draft, invalid, onChange }: Omit<Props, "subject">) {
  const t = useTranslations("segments.value");
  const { newsletterId } = useViewer();
  const { data: tags = [] } = api.tags.useQuery({ newsletterId });
  return (
    <MultiSelect
      aria-label={t("tags")}
      classNames={{ inputField: styles.listInput }}
      placeholder={draft.chosen.length > 0 ? "" : t("choose")}
      data={[...new Set([...tags, ...draft.chosen])]}
      limit={20}
      searchable
      nothingFoundMessage={t("noSuchTag")}
      error={invalid}
      value={draft.chosen}
      onChange={(chosen) => onChange({ ...draft, chosen })}
    />
  );
}

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
