"use client";

import { Dialog } from "../ui/dialog";
import { places } from "./places";
import styles from "./shell.module.css";

const lists: Record<string, [keys: string, what: string][]> = {
  Anywhere: [
    ["⌘K", "Search people, go anywhere"],
    ["?", "This list"],
    ...places.map(({ key, label }): [string, string] => [`G ${key.toUpperCase()}`, label]),
  ],
  People: [
    ["/", "Search by email or name"],
    ["C", "Add a person"],
    ["J K", "Next, previous person"],
    ["Enter", "Open the person"],
    ["X", "Select the person"],
    ["Esc", "Close the person"],
  ],
};

export default function ShortcutList({ onClose }: { onClose(): void }) {
  return (
    <Dialog onClose={onClose} title="Keyboard shortcuts">
      {Object.entries(lists).map(([title, rows]) => (
        <section key={title} className={styles.keys}>
          <h3>{title}</h3>
          <dl>
            {rows.map(([keys, what]) => (
              <div key={keys}>
                <dt>{what}</dt>
                <dd>
                  {keys.split(" ").map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
