import { Modal } from "@mantine/core";
import { useState } from "react";
import { Code } from "../ui/copy";
import styles from "./form.module.css";
import type { List } from "./use-list";

/** The same people, as a program would add them. */
export default function ApiCall({ list }: { list: List }) {
  const [call, setCall] = useState<string | null>(null);
  return (
    <>
      <button type="button" className={styles.link} onClick={async () => setCall(await list.apiCall())}>
        Show as an API call
      </button>
      <Modal opened={call !== null} onClose={() => setCall(null)} title="The same as an API call" size="lg">
        <p className={styles.modalText}>
          One call takes up to 100 people, and adds all of them or nobody: it is rejected as a whole when one
          of them is here already. Put a key of this newsletter in place of <code>sk_…</code>.
        </p>
        {call && <Code label="A call with curl">{call}</Code>}
      </Modal>
    </>
  );
}
