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
  const { test, value = "", is: chosen = [], days, at } = draft;
  const set = (change: Partial<ConditionDraft>) => onChange({ ...draft, ...change });
  const props = { "aria-label": t("label"), error: invalid };
  if (needsNoValue(test)) return null;
  switch (subject.input) {
    case "several":
      return (
        <MultiSelect
          {...props}
          classNames={{ inputField: styles.listInput }}
          data={subject.options ?? []}
          placeholder={chosen.length > 0 ? "" : t("choose")}
          value={chosen}
          onChange={(is) => set({ is })}
        />
      );
    case "tags":
      return <TagValue chosen={chosen} invalid={invalid} onChoose={(is) => set({ is })} />;
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

type TagProps = { chosen: string[]; invalid: boolean; onChoose(tags: string[]): void };

function TagValue({ chosen, invalid, onChoose }: TagProps) {
  const t = useTranslations("segments.value");
  const { newsletterId } = useViewer();
  const { data: tags = [] } = api.tags.useQuery({ newsletterId });
  return (
    <MultiSelect
      aria-label={t("tags")}
      classNames={{ inputField: styles.listInput }}
      placeholder={chosen.length > 0 ? "" : t("choose")}
      data={[...new Set([...tags, ...chosen])]}
      limit={20}
      searchable
      nothingFoundMessage={t("noSuchTag")}
      error={invalid}
      value={chosen}
      onChange={onChoose}
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
