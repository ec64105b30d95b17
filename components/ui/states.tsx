import { Group } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import styles from "./kit.module.css";

type EmptyProps = {
  /** For a page that has nothing but this. */
  icon?: ReactNode;
  /** An empty list is good news. */
  good?: boolean;
  title: string;
  children: ReactNode;
  action?: ReactNode;
};

/** The empty state of a list, with the next step. */
export function Empty(props: EmptyProps) {
  return (
    <div className={styles.empty}>
      {props.icon && (
        <span className={styles.emptyIcon} data-good={props.good}>
          {props.icon}
        </span>
      )}
      <h2>{props.title}</h2>
      <div className={styles.emptyText}>{props.children}</div>
      {props.action && (
        <Group justify="center" gap="xs">
          {props.action}
        </Group>
      )}
    </div>
  );
}

/** Placeholder rows during loading. They appear after 100 ms. */
export function Loading({ rows = 8 }: { rows?: number }) {
  const t = useTranslations("ui.list");
  return (
    <div className={styles.loading} role="status" aria-label={t("loading")}>
      {Array.from({ length: rows }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <div key={i} />
      ))}
    </div>
  );
}

type BannerProps = { tone?: "pending" | "failed"; action?: ReactNode; children: ReactNode };

/** A notice for a whole page or panel, with an optional action. */
export function Banner({ tone = "pending", action, children }: BannerProps) {
  return (
    <div className={styles.banner} data-tone={tone}>
      <p>{children}</p>
      {action}
    </div>
  );
}

/** A row of a `styles.rows` list: a title, a quiet line below it and actions at its end. */
export function Row(props: { title: ReactNode; note: ReactNode; below?: ReactNode; children?: ReactNode }) {
  return (
    <li>
      <div className={styles.entry}>
        <b>{props.title}</b>
        <div className={styles.quiet}>{props.note}</div>
        {props.below}
      </div>
      {props.children}
    </li>
  );
}

/** The reason for a failed action. Screen readers announce it at once. */
export function Problem({ children }: { children: ReactNode }) {
  return (
    <p className={styles.problem} role="alert">
      {children}
    </p>
  );
}
