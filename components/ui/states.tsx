import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { rejectionOf } from "../trpc";
import { icons } from "./icons";
import styles from "./parts.module.css";

/** Nothing here yet, and what to do next. */
export function Empty({
  title,
  children,
  action,
}: {
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      <p>{children}</p>
      {action && <div className={styles.emptyAct}>{action}</div>}
    </div>
  );
}

/** It could not be read: what happened, and the way on. */
export function Failed({ error, retry }: { error: unknown; retry(): void }) {
  return (
    <div className={styles.failed} role="alert">
      <icons.alert />
      <p>{rejectionOf(error).message}</p>
      <Button variant="default" onClick={retry}>
        Try again
      </Button>
    </div>
  );
}

/** Stands in for rows that are on their way; shows itself only after 100 ms. */
export function Loading({ rows = 8 }: { rows?: number }) {
  return (
    <div className={styles.loading} role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <div key={i} />
      ))}
    </div>
  );
}

/** One quiet line across the page that says something about all of it. */
export function Banner({ children }: { children: ReactNode }) {
  return <p className={styles.banner}>{children}</p>;
}
