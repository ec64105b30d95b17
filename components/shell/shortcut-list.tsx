"use client";

import { Dialog } from "../ui/dialog";
import { keyOf, type VerbName, verbs } from "../ui/verbs";
import { places } from "./places";
import styles from "./shell.module.css";

const keyed = Object.keys(verbs).flatMap((name): [string, string][] => {
  const [verb, key] = [name as VerbName, keyOf(name as VerbName)];
  return key ? [[key, verbs[verb].label]] : [];
});

const lists: Record<string, [keys: string, what: string][]> = {
  Anywhere: [
    ["⌘K", "Search people, pages and actions"],
    ["⌘Z", "Undo the last action"],
    ["?", "Show this list"],
    ...places.map(({ key, label }): [string, string] => [`G ${key.toUpperCase()}`, label]),
  ],
  People: [
    ["/", "Search by email or name"],
    ["J K", "Next, previous person"],
    ["Enter", "Open the person"],
    ["Esc", "Close the person"],
    ["X", "Select the person"],
    ["⇧X", "Select a range"],
    ["⌘A", "Select all on the page"],
    ...keyed,
  ],
  Mails: [
    ["J K", "Next, previous email"],
    ["Esc", "Close the email"],
  ],
  "Paste a list": [["⌘↵", "Check the list"]],
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
