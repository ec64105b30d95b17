import { useLocale, useTranslations } from "use-intl";
import { peopleOrders, sources } from "@/server/subscribers/schema/people-list";
import { statuses } from "@/server/subscribers/status-moves";
import { SegmentChip } from "../segments/segment-editing";
import { SearchField } from "../shell/search-field";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { Choice, FilterChip, PopoverChoice, SeveralChoice } from "../ui/choice";
import kit from "../ui/kit.module.css";
import { onDemand } from "../ui/on-demand";
import { useStatusWord } from "../ui/status-pill";
import { dateLocales } from "../ui/time";
import { typedFilter, useFieldText, useTagNames } from "./attribute-text";
import { ColumnChoice } from "./column-choice";
import styles from "./people.module.css";
import { formatSpan, type Span } from "./span";
import type { PeopleView } from "./view-state";

/** The list's filters. The page's address stores each choice at once. */
export function Filters({ view, onEnter }: { view: PeopleView; onEnter(): void }) {
  const t = useTranslations("people");
  const statusWord = useStatusWord();
  const { q, show } = view;
  return (
    <search className={kit.filters} aria-label={t("page.title")}>
      <SearchField
        label={t("filters.search")}
        value={q}
        onChange={(text) => void show({ q: text })}
        onEnter={onEnter}
      />
      <div className={styles.choices}>
        <SegmentChip view={view} />
        <ImportChip view={view} />
        <SeveralChoice
          label={t("field.status")}
          values={view.status}
          options={statuses.map((value) => ({ value, label: statusWord(value) }))}
          onChoose={(status) => show({ status })}
        />
        <SeveralChoice
          label={t("field.source")}
          values={view.source}
          options={sources.map((value) => ({ value, label: t(`source.${value}`) }))}
          onChoose={(source) => show({ source })}
        />
        <AttributeChoice view={view} />
        <SpanChoice label={t("field.added")} value={view.added} onChange={(added) => show({ added })} />
        <SpanChoice
          label={t("field.confirmed")}
          value={view.confirmed}
          onChange={(confirmed) => show({ confirmed })}
        />
        <span className={styles.order}>
          <Choice
            label={t("filters.order")}
            value={view.sort === "newest" ? null : view.sort}
            options={[peopleOrders.map((value) => ({ value, label: t(`order.${value}`) }))]}
            onChoose={(sort) => show({ sort: (sort as typeof view.sort | null) ?? "newest" })}
          />
        </span>
        <ColumnChoice view={view} />
      </div>
    </search>
  );
}

/** Says that the list shows only one import's people. A click shows all people again. */
function ImportChip({ view }: { view: PeopleView }) {
  const t = useTranslations("people.filters");
  const { newsletterId } = useViewer();
  const { import: importId, importPart } = view;
  const found = api.imports.get.useQuery(
    { newsletterId, importId: importId ?? "" },
    { enabled: importId !== null },
  );
  if (importId === null) return null;
  const number = found.data?.number ? String(found.data.number) : "none";
  const shown = t(`importPart.${importPart ?? "added"}`, { number });
  return (
    <FilterChip
      label={t("clearImport", { shown })}
      onRemove={() => view.show({ import: null, importPart: null })}
    >
      {shown}
    </FilterChip>
  );
}

// The inputs with lists weigh 20 kB, and most visits never open them.
const AttributeFilter = onDemand(() => import("./attribute-filter"));

/** Filters people by tags and field values. Hidden if the newsletter has no tags or fields. */
function AttributeChoice({ view }: { view: PeopleView }) {
  const t = useTranslations("people.filters");
  const tags = useTagNames();
  const chosen = useChosenText(view);
  if (tags.length === 0 && view.knownFields.length === 0 && !chosen) return null;
  return (
    <PopoverChoice
      label={chosen ? t("with") : t("tagsAndFields")}
      chosen={chosen}
      name={t("tagsAndFields")}
      width={300}
      className={styles.attributes}
    >
      {(close) => <AttributeFilter view={view} onDone={close} />}
    </PopoverChoice>
  );
}

/** "VIP or new, Edition Print" */
function useChosenText({ tags, fields, knownFields }: PeopleView): string {
  const fieldText = useFieldText();
  const alternatives = new Intl.ListFormat(dateLocales[useLocale()], { type: "disjunction" });
  const values = Object.entries(typedFilter(fields)).map(([key, value]) => {
    const field = knownFields.find((one) => one.key === key);
    return field ? `${field.label} ${fieldText(field, value)}` : `${key} ${value}`;
  });
  return [...(tags.length > 0 ? [alternatives.format(tags)] : []), ...values].join(", ");
}

// The calendar weighs 30 kB, and most visits never open it.
const SpanPicker = onDemand(() => import("./span-picker"), { loading: <div className={styles.picker} /> });

type Props = { label: string; value: Span | null; onChange(span: Span | null): void };

/** A span of days, as a button that opens the calendar. */
function SpanChoice({ label, value, onChange }: Props) {
  const t = useTranslations("people.span");
  const language = useLocale();
  return (
    <PopoverChoice label={label} chosen={value && formatSpan(value, t, language)}>
      {(close) => <SpanPicker value={value} onChange={onChange} onDone={close} />}
    </PopoverChoice>
  );
}
