import type { ReactNode } from "react";
import styles from "./note.module.css";

/** A page that has one thing to say. */
export function Note({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={styles.note}>
      <h1>{title}</h1>
      {children}
    </main>
  );
}
