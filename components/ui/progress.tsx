import { Group } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { isUnderWay, type WorkProgress } from "@/server/kernel/work-progress";
import styles from "./kit.module.css";

/** The progress of a background job: a bar, its numbers and its actions. */
export function Progress({ label, done, total, children }: Props) {
  const t = useTranslations("ui.progress");
  const share = total === 0 ? 100 : Math.min(100, (done / total) * 100);
  return (
    <>
      <div
        className={styles.track}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
      >
        <div style={{ width: `${share}%` }} />
      </div>
      <Group justify="space-between" gap={4} mih={24} c="dimmed">
        <span>{t("doneOfTotal", { done, total })}</span>
        {children}
      </Group>
    </>
  );
}
type Props = WorkProgress & { label: string; children?: ReactNode };

const POLL_MS = 700;

/**
 * Polls a query often while any of its imports or bulk actions is running.
 * @param otherwise the interval at other times
 */
export const pollWhileUnderWay =
  <Data,>(worksIn: (data: Data) => { state: string }[] | undefined, otherwise: number | false = false) =>
  ({ state: { data } }: { state: { data: Data | undefined } }) =>
    data !== undefined && worksIn(data)?.some(({ state }) => isUnderWay(state)) ? POLL_MS : otherwise;
