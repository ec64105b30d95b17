import Link from "next/link";
import type { Outputs } from "../trpc";
import kit from "../ui/kit.module.css";
import { counted } from "../ui/numbers";
import styles from "./overview.module.css";

/** States of a mail that need attention, or explain why something has not arrived yet. */
const states = [
  {
    state: "over_budget",
    text: "over the daily limit",
    action: "Send or cancel",
    bad: true,
    all: true,
  },
  { state: "failed", text: "failed", action: "View", bad: true },
  { state: "uncertain", text: "may not have arrived", action: "View", bad: true },
  { state: "deferred", text: "delayed", action: "View" },
  { state: "waiting", text: "waiting", action: "View" },
  { state: "sending", text: "being sent now", action: "View" },
] as const;

/** What somebody may have to do something about; nothing when all is well. */
export function Attention({
  mails,
  base,
}: {
  mails: Outputs["newsletters"]["overview"]["mails"];
  base: string;
}) {
  const lines = states.flatMap(({ state, text, action, ...rest }) => {
    const number = mails[state] ?? 0;
    const href = "all" in rest ? `${base}/mails` : `${base}/mails?state=${state}`;
    return number > 0
      ? [{ href, text: `${counted(number, "email")} ${text}`, action, bad: "bad" in rest }]
      : [];
  });
  if (lines.length === 0) return null;
  return (
    <section aria-labelledby="attention" className={styles.section}>
      <h2 id="attention">Needs attention</h2>
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
