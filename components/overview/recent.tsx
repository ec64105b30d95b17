import Link from "next/link";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import type { Texts } from "../texts/texts";
import type { Outputs } from "../trpc";
import { Time, useDurationText } from "../ui/time";
import styles from "./overview.module.css";

type Overview = Outputs["newsletters"]["overview"];
type Part = { text: ReactNode; href?: string; bad?: boolean; at?: Date | null };

type RecentTexts = Texts<"overview.recent">;

function confirmationParts(
  { asked, confirmed, medianSeconds }: Overview["confirmation"],
  t: RecentTexts,
  durationText: (seconds: number) => string,
): Part[] {
  if (asked === 0) return [];
  const percent = Math.round((confirmed / asked) * 100);
  return [
    { text: t("confirmed", { n: confirmed }), href: "/people?added=30d&confirmed=30d" },
    { text: t("stillPending", { n: asked - confirmed }), href: "/people?added=30d&status=pending" },
    {
      text: medianSeconds
        ? t("shareWithHalf", { percent, span: durationText(medianSeconds) })
        : t("share", { percent }),
    },
  ];
}

function requestParts({ requests, rejected, failed }: Overview["requests"], t: RecentTexts): Part[] {
  if (requests === 0) return [];
  const log = "/api?within=7d";
  return [
    { text: t("requests", { n: requests }), href: `${log}#requests` },
    { text: t("rejections", { n: rejected }), href: `${log}&answer=rejected#requests` },
    ...(failed > 0
      ? [{ text: t("failures", { n: failed }), href: `${log}&answer=failed#requests`, bad: true }]
      : []),
  ];
}

/** People's recent sources. Each number links to exactly the people that it counts. */
export function Recent({ overview, base }: { overview: Overview; base: string }) {
  const t = useTranslations("overview.recent");
  const durationText = useDurationText();
  const { requests, keys, imports, confirmation } = overview;
  const rows: [string, Part[]][] = [
    [t("row.confirmations"), confirmationParts(confirmation, t, durationText)],
    [t("row.requests"), requestParts(requests, t)],
    [
      t("row.keys"),
      keys.map(({ id, name, lastUsedAt }) => ({
        text: name,
        href: `/api?key=${id}#requests`,
        at: lastUsedAt,
      })),
    ],
    [
      t("row.imports"),
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
      <h2 id="sources">{t("title")}</h2>
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
