import Link from "next/link";
import { useTranslations } from "use-intl";
import type { Outputs } from "../trpc";
import kit from "../ui/kit.module.css";
import styles from "./overview.module.css";

/** Email states that need attention or explain a missing email. */
const states = [
  { state: "over_budget", action: "view", bad: true, all: true },
  { state: "failed", action: "view", bad: true },
  { state: "uncertain", action: "view", bad: true },
  { state: "deferred", action: "view" },
  { state: "waiting", action: "view" },
  { state: "sending", action: "view" },
] as const;

/** Lists problems that may need action. Hidden without problems. */
export function Attention({
  mails,
  base,
}: {
  mails: Outputs["newsletters"]["overview"]["mails"];
  base: string;
}) {
  const t = useTranslations("overview.attention");
  const lines = states.flatMap(({ state, action, ...rest }) => {
    const n = mails[state] ?? 0;
    const href = "all" in rest ? `${base}/mails` : `${base}/mails?state=${state}`;
    return n > 0
      ? [{ href, text: t(`emails.${state}`, { n }), action: t(`action.${action}`), bad: "bad" in rest }]
      : [];
  });
  if (lines.length === 0) return null;
  return (
    <section aria-labelledby="attention" className={styles.section}>
      <h2 id="attention">{t("title")}</h2>
      <ul className={`${kit.rows} ${styles.lines}`}>
        {lines.map(({ href, text, action, bad }) => (
          <li key={text} data-bad={bad || undefined}>
            <Link href={href}>
              {text} <span className={styles.go}>{action}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
