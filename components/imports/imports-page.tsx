"use client";
import { Button } from "@mantine/core";
import Link from "next/link";
import { useTranslations } from "use-intl";
import { countStored } from "@/server/imports/schema/import-counts";
import type { ImportRecord } from "@/server/imports/schema/imports";
import { importUndoDays } from "@/server/kernel/durations";
import { useViewer } from "../shell/viewer";
import type { Texts } from "../texts/texts";
import { api } from "../trpc";
import { icons } from "../ui/icons";
import kit from "../ui/kit.module.css";
import { byCursor, itemsOf, ListPage } from "../ui/list-page";
import { pollWhileUnderWay } from "../ui/progress";
import { Empty } from "../ui/states";
import { Time } from "../ui/time";
import { countUnchanged, ImportStatus, importName } from "./import-words";
import styles from "./pages.module.css";

/** Lists all imports with importer, time, source and result. */
export function ImportsPage() {
  const t = useTranslations("imports.list");
  const { newsletterId, mayEdit } = useViewer();
  const query = api.imports.list.useInfiniteQuery(
    { newsletterId },
    // Polling shows the end of a running import.
    { ...byCursor, refetchInterval: pollWhileUnderWay(itemsOf) },
  );
  const paste = mayEdit && (
    <Button leftSection={<icons.add />} component={Link} href={`/n/${newsletterId}/imports/new`}>
      {t("paste")}
    </Button>
  );
  const empty = query.data?.pages[0]?.items.length === 0 && (
    <Empty title={t("emptyTitle")} action={paste}>
      {t("emptyText", { days: importUndoDays })}
    </Empty>
  );
  return (
    <ListPage title={t("title")} actions={paste} query={query} empty={empty}>
      {(data) => (
        <ul className={kit.list}>
          {itemsOf(data)?.map((record) => (
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
  const t = useTranslations("imports");
  return (
    <Link href={href} className={`${kit.row} ${styles.import}`} prefetch={false}>
      <b>{importName(record, t)}</b>
      <ImportStatus state={record.state} />
      <span className={styles.numbers}>{numbers(record, t)}</span>
      <span className={`${kit.cut} ${styles.source}`}>{record.consent?.source}</span>
      <span className={`${kit.cut} ${styles.who}`}>
        {record.by ?? t("formerStaff")} · <Time at={record.startedAt ?? record.createdAt} />
      </span>
    </Link>
  );
}

function numbers(record: ImportRecord, t: Texts<"imports">): string {
  const { state, progress, undone, counts, rejected } = record;
  const { done, total: all } = progress;
  if (state === "running") return t("list.running", { done, all });
  if (state === "undoing") return t("list.undoing", { done, all });
  if (state === "undone") return t("list.undone", { n: undone?.people ?? 0 });
  if (state === "planned") return t("list.waiting", { n: countStored(counts) });
  if (state !== "done") return t("list.nobody");
  const parts = [t("list.new", { n: countStored(counts) })];
  if (counts.new_unsubscribed > 0) parts.push(t("list.newUnsubscribed", { n: counts.new_unsubscribed }));
  const unchanged = countUnchanged(counts);
  if (unchanged > 0) parts.push(t("list.unchanged", { n: unchanged }));
  if (rejected > 0) parts.push(t("list.rejected", { n: rejected }));
  return parts.join(" · ");
}
