"use client";
import { Button } from "@mantine/core";
import Link from "next/link";
import { addedBy } from "@/server/contract/imports";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { icons } from "../ui/icons";
import kit from "../ui/kit.module.css";
import { Older, Page } from "../ui/list-page";
import { count } from "../ui/numbers";
import { Empty, Failed, Loading } from "../ui/states";
import { Time } from "../ui/time";
import { runTitle, stateWords, unchangedBy } from "./run-words";
import styles from "./runs.module.css";

type Run = Outputs["imports"]["list"]["imports"][number];

/** Every run of the bulk form: who, when, from where, and what came of it. */
export function RunsPage() {
  const { newsletterId, mayEdit } = useViewer();
  const list = api.imports.list.useInfiniteQuery(
    { newsletterId },
    {
      initialCursor: null,
      getNextPageParam: (last) => last.next,
      // Whoever watches the list sees a run come to its end.
      refetchInterval: ({ state }) =>
        state.data?.pages.some(({ imports }) => imports.some((run) => run.state === "running"))
          ? 2000
          : false,
    },
  );
  const runs = list.data?.pages.flatMap((page) => page.imports) ?? [];
  const paste = mayEdit && (
    <Button leftSection={<icons.add />} component={Link} href={`/n/${newsletterId}/imports/new`}>
      Paste a list
    </Button>
  );
  return (
    <Page title="Imports" actions={paste}>
      {list.error && <Failed error={list.error} retry={() => list.refetch()} />}
      {list.isPending && <Loading rows={8} />}
      {list.isSuccess && runs.length === 0 && (
        <Empty title="No list has been brought in yet" action={paste}>
          Paste cells of a spreadsheet, a To: field or the export of another service. Every line is validated
          before anybody is added, and a run can be taken back for 7 days.
        </Empty>
      )}
      {runs.length > 0 && (
        <ul className={styles.runs}>
          {runs.map((run) => (
            <li key={run.id}>
              <RunRow run={run} href={`/n/${newsletterId}/imports/${run.id}`} />
            </li>
          ))}
        </ul>
      )}
      <Older list={list} />
    </Page>
  );
}

function RunRow({ run, href }: { run: Run; href: string }) {
  const { word, tone } = stateWords[run.state];
  return (
    <Link href={href} className={styles.run} prefetch={false}>
      <span className={styles.title}>{runTitle(run)}</span>
      <span className={`${kit.status} ${styles.state}`} data-tone={tone}>
        {word}
      </span>
      <span className={styles.numbers}>{numbers(run)}</span>
      <span className={styles.source}>{run.consent?.source}</span>
      <span className={styles.who}>
        {run.by ?? "Somebody who is gone"} · <Time at={run.startedAt ?? run.createdAt} />
      </span>
    </Link>
  );
}

function numbers(run: Run): string {
  if (run.state === "running") return `${count(run.written)} of ${count(run.rows)}`;
  if (run.state === "undone") return `${count(run.undone?.people ?? 0)} taken back`;
  if (run.state !== "done") return "nobody added";
  const parts = [`${count(addedBy(run.counts))} new`];
  const unchanged = unchangedBy(run.counts);
  if (unchanged > 0) parts.push(`${count(unchanged)} unchanged`);
  if (run.rejected > 0) parts.push(`${count(run.rejected)} rejected`);
  return parts.join(" · ");
}
