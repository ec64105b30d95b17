import { Button } from "@mantine/core";
import { icons } from "../icons";
import styles from "./form.module.css";
import type { List } from "./use-list";

/** What could not be done, and what to do; the list stays as it is. */
export function Refused({ list }: { list: List }) {
  return (
    <div className={styles.refused} role="alert">
      <icons.alert />
      <p>{list.refusal?.message}</p>
      <Button variant="default" onClick={list.dismiss}>
        Dismiss
      </Button>
    </div>
  );
}
