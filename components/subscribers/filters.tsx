"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "use-intl";
import { peopleOrders, sources } from "@/server/subscribers/schema/people-list";
import { statuses } from "@/server/subscribers/status-moves";
import { SegmentChip } from "../segments/segment-editing";
import { SearchField } from "../shell/search-field";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { Choice, SeveralChoice } from "../ui/choice";
import { icons } from "../ui/icons";
import kit from "../ui/kit.module.css";
import { AttributeChoice } from "./attribute-choice";
import { ColumnChoice } from "./column-choice";
import styles from "./people.module.css";
import { SpanChoice } from "./span-choice";
import type { PeopleView } from "./view-state";

/** The list's filters. The page's address stores each choice at once. */
export function Filters({ view }: { view: PeopleView }) {
  const t = useTranslations("people");
  const { q, show } = view;
  return (
    <search className={kit.filters} aria-label={t("filters.label")}>
      <SearchField label={t("filters.search")} value={q} onChange={(text) => void show({ q: text })} />
      <div className={styles.choices}>
        <SegmentChip view={view} />
        <ImportChip view={view} />
        <SeveralChoice
          label={t("field.status")}
          values={view.status ?? []}
          options={statuses.map((value) => ({ value, label: t(`status.${value}`) }))}
          onChoose={(status) => show({ status: status.length > 0 ? status : null })}
        />
        <SeveralChoice
          label={t("field.source")}
          values={view.source ?? []}
          options={sources.map((value) => ({ value, label: t(`source.${value}`) }))}
          onChoose={(source) => show({ source: source.length > 0 ? source : null })}
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
    <Button
      variant="default"
      className={kit.choice}
      data-set
      rightSection={<icons.close />}
      aria-label={t("clearImport", { shown })}
      onClick={() => view.show({ import: null, importPart: null })}
    >
      {shown}
    </Button>
  );
}
