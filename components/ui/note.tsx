import { Box } from "@mantine/core";
import type { ReactNode } from "react";
import { Mark } from "./icons";
import styles from "./note.module.css";

type Props = {
  title: string;
  withMark?: boolean;
  children: ReactNode;
};

/** A page of one short text or form. */
export function Note({ title, withMark = false, children }: Props) {
  return (
    <main className={styles.note}>
      {withMark && (
        <Box c="var(--act)" mb={20}>
          <Mark size={28} />
        </Box>
      )}
      <h1>{title}</h1>
      {children}
    </main>
  );
}
