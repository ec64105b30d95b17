"use client";
import { Button } from "@mantine/core";
import Link from "next/link";
import { type ImportRecord, storedBy } from "@/server/contract/imports";
import { importUndoDays } from "@/server/contract/spans";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { icons } from "../ui/icons";
import { ListPage } from "../ui/list-page";
import { count } from "../ui/numbers";
import { pollWhileUnderWay } from "../ui/progress";
import { Empty } from "../ui/states";
import { StatusPill } from "../ui/status";
import { Time } from "../ui/time";
import { importLooks, importTitle, unchangedBy } from "./import-words";
import styles from "./pages.module.css";

/** Every import: who, when, from where, and what came of it. */
export function ImportsPage() {
  const { newsletterId, mayEdit } = useViewer();
  const query = api.imports.list.useInfiniteQuery(
    { newsletterId },
    {
      initialCursor: null,
      getNextPageParam: (last) => last.next,
      // Whoever watches the list sees an import come to its end.
      refetchInterval: pollWhileUnderWay(({ pages }) => pages.flatMap(({ items }) => items)),
    },
  );
  const paste = mayEdit && (
    <Button leftSection={<icons.add />} component={Link} href={`/n/${newsletterId}/imports/new`}>
      Paste a list
    </Button>
  );
  const empty = query.data?.pages[0]?.items.length === 0 && (
    <Empty title="No imports yet" action={paste}>
      Paste spreadsheet cells, a To: field or an export of another service. Every line is checked before
      anyone is added. You can undo an import for {importUndoDays} days.
    </Empty>
  );
  return (
    <ListPage title="Imports" actions={paste} query={query} empty={empty}>
      {({ pages }) => (
        <ul className={styles.imports}>
          {pages
            .flatMap((page) => page.items)
            .map((record) => (
              <li key={record.id}>
                <ImportLink record={record} href={`/n/${newsletterId}/imports/${record.id}`} />
              </li>
            ))}
        </ul>
      )}
    </ListPage>
  );
}

function ImportLink({ record, href }: { record: ImportRecord; href: string }) {
  return (
    <Link href={href} className={styles.import} prefetch={false}>
      <span className={styles.title}>{importTitle(record)}</span>
      <span className={styles.state}>
        <StatusPill status={importLooks[record.state]} />
      </span>
      <span className={styles.numbers}>{numbers(record)}</span>
      <span className={styles.source}>{record.consent?.source}</span>
      <span className={styles.who}>
        {record.by ?? "Former staff member"} · <Time at={record.startedAt ?? record.createdAt} />
      </span>
    </Link>
  );
}

function numbers({ state, progress: { done, total }, undone, counts, rejected }: ImportRecord): string {
  if (state === "running") return `${count(done)} of ${count(total)}`;
  if (state === "undoing") return `${count(done)} of ${count(total)} removed`;
  if (state === "undone") return `${count(undone?.people ?? 0)} removed`;
  if (state !== "done") return "no people added";
  const parts = [`${count(storedBy(counts))} new`];
  if (counts.new_unsubscribed > 0) parts.push(`${count(counts.new_unsubscribed)} of them unsubscribed`);
  const unchanged = unchangedBy(counts);
  if (unchanged > 0) parts.push(`${count(unchanged)} unchanged`);
  if (rejected > 0) parts.push(`${count(rejected)} rejected`);
  return parts.join(" · ");
}
