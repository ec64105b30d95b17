"use client";
import { Button, Text } from "@mantine/core";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { suppressionReasons } from "@/server/suppressions/schema/suppression-messages";
import { SearchField } from "../shell/search-field";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { Choice } from "../ui/choice";
import { icons } from "../ui/icons";
import kit from "../ui/kit.module.css";
import { byCursor, itemsOf, ListPage } from "../ui/list-page";
import { useCount } from "../ui/numbers";
import { onDemand } from "../ui/on-demand";
import { Empty } from "../ui/states";
import { Time } from "../ui/time";
import type { ListedSuppression } from "./remove-suppression";
import styles from "./suppressions.module.css";

const AddSuppressions = onDemand(() => import("./add-suppressions"));
const RemoveSuppression = onDemand(() => import("./remove-suppression"));

const parsers = { q: parseAsString.withDefault(""), reason: parseAsStringLiteral(suppressionReasons) };

export function SuppressionsPage() {
  const t = useTranslations("suppressions");
  const count = useCount();
  const { newsletterId, mayEdit } = useViewer();
  const [{ q, reason }, set] = useQueryStates(parsers);
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<ListedSuppression | null>(null);
  const query = api.suppressions.page.useInfiniteQuery(
    { newsletterId, ...(reason && { reason }), ...(q && { search: q }) },
    byCursor,
  );
  const total = query.data?.pages.at(-1)?.total;
  const records = itemsOf(query.data);
  const filtered = q !== "" || reason !== null;
  const isEmpty = records?.length === 0 && !filtered;
  const add = mayEdit && (
    <Button leftSection={<icons.add />} onClick={() => setAdding(true)}>
      {t("suppress")}
    </Button>
  );
  return (
    <ListPage
      title={t("title")}
      aside={total !== undefined && !isEmpty && <span aria-live="polite">{count(total)}</span>}
      actions={!isEmpty && add}
      tools={
        <>
          <Text c="dimmed" mb="sm">
            {t("intro")}
          </Text>
          {!isEmpty && (
            <search className={kit.filters} aria-label={t("title")}>
              <SearchField label={t("search")} value={q} onChange={(text) => void set({ q: text || null })} />
              <Choice
                label={t("reason")}
                value={reason}
                options={[suppressionReasons.map((value) => ({ value, label: t(`reasons.${value}`) }))]}
                onChoose={(value) => set({ reason: value })}
              />
            </search>
          )}
        </>
      }
      query={query}
      rows={10}
      empty={
        isEmpty ? (
          <Empty icon={<icons.check />} good title={t("empty.title")} action={add}>
            <p>{t("empty.text")}</p>
            {mayEdit && <p>{t("empty.moving")}</p>}
          </Empty>
        ) : (
          records?.length === 0 && <Empty title={t("noMatch.title")}>{t("noMatch.text")}</Empty>
        )
      }
      footer={
        <>
          {adding && <AddSuppressions onClose={() => setAdding(false)} />}
          {removing && <RemoveSuppression suppression={removing} onClose={() => setRemoving(null)} />}
        </>
      }
    >
      {() => records && <SuppressionTable records={records} onRemove={mayEdit ? setRemoving : null} />}
    </ListPage>
  );
}

type TableProps = { records: ListedSuppression[]; onRemove: ((one: ListedSuppression) => void) | null };

function SuppressionTable({ records, onRemove }: TableProps) {
  const t = useTranslations("suppressions");
  return (
    <table className={`${kit.table} ${styles.table}`}>
      <caption className="sr">{t("table.caption")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("table.address")}</th>
          <th scope="col">{t("reason")}</th>
          <th scope="col">{t("table.since")}</th>
          <th scope="col" data-column="source">
            {t("table.source")}
          </th>
          {onRemove && (
            <th scope="col">
              <span className="sr">{t("table.lift")}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {records.map((one) => (
          <tr key={one.id}>
            <td>
              {one.email ?? (
                <Text component="em" c="dimmed" inherit>
                  {t("table.erased")}
                </Text>
              )}
            </td>
            <td>{t(`reasons.${one.reason}`)}</td>
            <td>
              <Time at={new Date(one.created_at)} />
            </td>
            <td data-column="source">{t(`sources.${one.source}`)}</td>
            {onRemove && (
              <td>
                {one.source !== "person" && (
                  <Button
                    variant="subtle"
                    color="gray"
                    size="compact-sm"
                    aria-label={
                      one.email === null
                        ? t("table.liftErased")
                        : t("table.liftAddress", { email: one.email })
                    }
                    onClick={() => onRemove(one)}
                  >
                    {t("table.lift")}
                  </Button>
                )}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
