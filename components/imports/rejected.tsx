import { Button } from "@mantine/core";
import { icons } from "../ui/icons";
import styles from "./form.module.css";
import type { List } from "./use-list";

/** What could not be done, and what to do; the list stays as it is. */
export function Rejected({ list }: { list: List }) {
  return (
    <div className={styles.rejected} role="alert">
      <icons.alert />
      <p>{list.rejection?.message}</p>
      <Button variant="default" onClick={list.dismiss}>
        Dismiss
      </Button>
    </div>
  );
}
