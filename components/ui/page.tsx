import type { ReactNode } from "react";
import styles from "./parts.module.css";

type Props = { title: ReactNode; aside?: ReactNode; actions?: ReactNode; children: ReactNode };

/** A page's head and body. `aside` stands quietly beside the title: a count. */
export function Page({ title, aside, actions, children }: Props) {
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>{title}</h1>
        {aside !== undefined && <span className={styles.aside}>{aside}</span>}
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}
