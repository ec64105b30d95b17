import Link from "next/link";
import { Fragment, type ReactNode } from "react";
import type { Outputs } from "../trpc";
import { count, counted, people, span } from "../ui/numbers";
import { Time } from "../ui/time";
import styles from "./overview.module.css";

type Overview = Outputs["newsletters"]["overview"];

/** How the adapters are used: each number leads to exactly what it counts. */
export function Recent({ data, base }: { data: Overview; base: string }) {
  const { requests, keys, imports, confirmation } = data;
  const log = `${base}/api?within=7d`;
  const { asked, confirmed, medianSeconds } = confirmation;
  const rows: { label: string; parts: ReactNode[] }[] = [
    {
      label: "Confirmations, 30 days",
      parts:
        asked === 0
          ? []
          : [
              <Link key="confirmed" href={`${base}/people?added=30d&confirmed=30d`}>
                {people(confirmed)} confirmed
              </Link>,
              <Link key="pending" href={`${base}/people?added=30d&status=pending`}>
                {count(asked - confirmed)} still pending
              </Link>,
              <span key="share" className={styles.share}>
                {Math.round((confirmed / asked) * 100)} %
                {medianSeconds && `, half within ${span(medianSeconds)}`}
              </span>,
            ],
    },
    {
      label: "API requests, 7 days",
      parts:
        requests.requests === 0
          ? []
          : [
              <Link key="all" href={`${log}#requests`}>
                {counted(requests.requests, "request")}
              </Link>,
              <Link key="rejected" href={`${log}&answer=rejected#requests`}>
                {counted(requests.rejected, "rejection")}
              </Link>,
              ...(requests.failed > 0
                ? [
                    <Link key="failed" href={`${log}&answer=failed#requests`} data-bad>
                      {counted(requests.failed, "failure")}
                    </Link>,
                  ]
                : []),
            ],
    },
    {
      label: "Keys used last",
      parts: keys.map(({ id, name, lastUsedAt }) => (
        <Fragment key={id}>
          <Link href={`${base}/api?key=${id}#requests`}>{name}</Link> {lastUsedAt && <Time at={lastUsedAt} />}
        </Fragment>
      )),
    },
    {
      label: "Imports",
      parts: imports.map(({ id, number, startedAt }) => (
        <Fragment key={id}>
          <Link href={`${base}/imports/${id}`}>#{number}</Link> {startedAt && <Time at={startedAt} />}
        </Fragment>
      )),
    },
  ].filter(({ parts }) => parts.length > 0);
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="adapters" className={styles.lately}>
      <h2 id="adapters">How people come in</h2>
      <dl className={styles.adapters}>
        {rows.map(({ label, parts }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {parts.map((part, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: they keep their places
                <span key={i}>{part}</span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
