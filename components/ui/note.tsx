import { Box } from "@mantine/core";
import type { ReactNode } from "react";
import { Mark } from "./icons";
import styles from "./note.module.css";

type Props = {
  title: string;
  withMark?: boolean;
  /** The address and text of a link to another page. */
  link?: readonly [href: string, text: string];
  children: ReactNode;
};

/** A page of one short text or form. */
export function Note({ title, withMark = false, link, children }: Props) {
  return (
    <main className={styles.note}>
      {withMark && (
        <Box c="var(--act)" mb={20}>
          <Mark size={28} />
        </Box>
      )}
      <h1>{title}</h1>
      {children}
      {link && (
        <p>
          <a href={link[0]}>{link[1]}</a>
        </p>
      )}
    </main>
  );
}
