import Link from "next/link";
import type { ReactNode } from "react";
import type { Outputs } from "../trpc";
import { count, counted, people, span } from "../ui/numbers";
import { Time } from "../ui/time";
import styles from "./overview.module.css";

type Overview = Outputs["newsletters"]["overview"];
type Part = { text: ReactNode; href?: string; bad?: boolean; at?: Date | null };

function confirmationParts({ asked, confirmed, medianSeconds }: Overview["confirmation"]): Part[] {
  if (asked === 0) return [];
  const half = medianSeconds ? `, half within ${span(medianSeconds)}` : "";
  return [
    { text: `${people(confirmed)} confirmed`, href: "/people?added=30d&confirmed=30d" },
    { text: `${count(asked - confirmed)} still pending`, href: "/people?added=30d&status=pending" },
    { text: `${Math.round((confirmed / asked) * 100)} %${half}` },
  ];
}

function requestParts({ requests, rejected, failed }: Overview["requests"]): Part[] {
  if (requests === 0) return [];
  const log = "/api?within=7d";
  return [
    { text: counted(requests, "request"), href: `${log}#requests` },
    { text: counted(rejected, "rejection"), href: `${log}&answer=rejected#requests` },
    ...(failed > 0
      ? [{ text: counted(failed, "failure"), href: `${log}&answer=failed#requests`, bad: true }]
      : []),
  ];
}

/** Where people come from; each number leads to exactly what it counts. */
export function Recent({ overview, base }: { overview: Overview; base: string }) {
  const { requests, keys, imports, confirmation } = overview;
  const rows: [string, Part[]][] = [
    ["Confirmations, 30 days", confirmationParts(confirmation)],
    ["API requests, 7 days", requestParts(requests)],
    [
      "Recently used keys",
      keys.map(({ id, name, lastUsedAt }) => ({
        text: name,
        href: `/api?key=${id}#requests`,
        at: lastUsedAt,
      })),
    ],
    [
      "Imports",
      imports.map(({ id, number, startedAt }) => ({
        text: `#${number}`,
        href: `/imports/${id}`,
        at: startedAt,
      })),
    ],
  ];
  const shown = rows.filter(([, parts]) => parts.length > 0);
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="sources" className={styles.section}>
      <h2 id="sources">Sources</h2>
      <dl className={styles.sources}>
        {shown.map(([label, parts]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {parts.map(({ text, href, bad, at }) => (
                <span key={href ?? "share"}>
                  {href ? (
                    <Link href={base + href} data-bad={bad}>
                      {text}
                    </Link>
                  ) : (
                    text
                  )}{" "}
                  {at && <Time at={at} />}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
