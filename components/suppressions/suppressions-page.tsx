"use client";
import { Button } from "@mantine/core";
import dynamic from "next/dynamic";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useState } from "react";
import { type SuppressionSource, suppressionReasons, suppressionWords } from "@/server/contract/suppressions";
import { SearchField } from "../shell/search-field";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { Choice } from "../ui/choice";
import { icons } from "../ui/icons";
import kit from "../ui/kit.module.css";
import { ListPage } from "../ui/list-page";
import { count } from "../ui/numbers";
import { Empty } from "../ui/states";
import { Time } from "../ui/time";
import { ERASED, type ListedSuppression } from "./remove-suppression";
import styles from "./suppressions.module.css";

const AddSuppressions = dynamic(() => import("./add-suppressions"), { ssr: false });
const RemoveSuppression = dynamic(() => import("./remove-suppression"), { ssr: false });

const reasonOptions = [suppressionReasons.map((value) => ({ value, label: suppressionWords[value] }))];

const sourceWords: Record<SuppressionSource, string> = {
  person: "Themselves",
  mail: "Mail server",
  api: "API",
  dashboard: "Dashboard",
  import: "A list",
  operator: "Command line",
};

const parsers = { q: parseAsString.withDefault(""), reason: parseAsStringLiteral(suppressionReasons) };

/** Addresses that are not to be written to. */
export function SuppressionsPage() {
  const { newsletterId, mayEdit } = useViewer();
  const [{ q, reason }, set] = useQueryStates(parsers);
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<ListedSuppression | null>(null);
  const query = api.suppressions.page.useInfiniteQuery(
    { newsletterId, ...(reason && { reason }), ...(q && { search: q }) },
    { initialCursor: null, getNextPageParam: (last) => last.next, placeholderData: (before) => before },
  );
  const total = query.data?.pages.at(-1)?.total;
  const records = query.data?.pages.flatMap((page) => page.items);
  const filtered = q !== "" || reason !== null;
  const add = mayEdit && (
    <Button leftSection={<icons.add />} onClick={() => setAdding(true)}>
      Suppress addresses
    </Button>
  );
  return (
    <>
      <ListPage
        title="Suppressions"
        aside={total !== undefined && <span aria-live="polite">{count(total)}</span>}
        actions={add}
        tools={
          <>
            <p className={styles.intro}>
              Addresses that never receive email. Unsubscribed people are listed under People.
            </p>
            <search className={kit.filters} aria-label="Suppressions">
              <SearchField
                label="Search by address"
                value={q}
                onChange={(text) => void set({ q: text || null })}
              />
              <Choice
                label="Reason"
                value={reason}
                chosen={reason && suppressionWords[reason]}
                options={reasonOptions}
                onChoose={(value) => set({ reason: value as typeof reason })}
              />
            </search>
          </>
        }
        query={query}
        rows={10}
        empty={
          records?.length === 0 &&
          (filtered ? (
            <Empty title="No suppression matches">
              Search matches any part of an address. A full address also finds erased ones.
            </Empty>
          ) : (
            <Empty title="No suppressed addresses" action={add}>
              Addresses are added when they bounce, when people report spam or say “this wasn’t me”, and when
              unsubscribed people are erased. Moving from another service? Import its suppressed addresses
              first.
            </Empty>
          ))
        }
      >
        {() => records && <SuppressionTable records={records} onRemove={mayEdit ? setRemoving : null} />}
      </ListPage>
      {adding && <AddSuppressions onClose={() => setAdding(false)} />}
      {removing && <RemoveSuppression suppression={removing} onClose={() => setRemoving(null)} />}
    </>
  );
}

type TableProps = { records: ListedSuppression[]; onRemove: ((one: ListedSuppression) => void) | null };

function SuppressionTable({ records, onRemove }: TableProps) {
  return (
    <table className={styles.table}>
      <caption className="sr">Suppressions, newest first</caption>
      <thead>
        <tr>
          <th scope="col">Address</th>
          <th scope="col">Reason</th>
          <th scope="col">Since</th>
          <th scope="col" data-column="source">
            Source
          </th>
          {onRemove && (
            <th scope="col">
              <span className="sr">Lift</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {records.map((one) => (
          <tr key={one.id}>
            <td>{one.email ?? <span className={styles.erased}>an {ERASED}</span>}</td>
            <td>{suppressionWords[one.reason]}</td>
            <td>
              <Time at={new Date(one.created_at)} />
            </td>
            <td data-column="source">{sourceWords[one.source]}</td>
            {onRemove && (
              <td>
                {one.source !== "person" && (
                  <Button
                    variant="subtle"
                    color="gray"
                    size="compact-sm"
                    aria-label={`Lift ${one.email ?? `an ${ERASED}`}`}
                    onClick={() => onRemove(one)}
                  >
                    Lift
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
