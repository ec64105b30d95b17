import { type ReactNode, useState } from "react";
import styles from "./form.module.css";

type Props = { onFile(file: File): void; onUndo(): void; children: ReactNode };

/** Takes a file that is dropped anywhere on the form, and Ctrl-Z wherever the focus is. */
export function DropArea({ onFile, onUndo, children }: Props) {
  const [over, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a short cut for the button that chooses a file
    <div
      className={styles.form}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        const [dropped] = event.dataTransfer.files;
        setOver(false);
        if (!dropped) return;
        event.preventDefault();
        onFile(dropped);
      }}
      onKeyDown={(event) => {
        // Fields have an undo of their own.
        const field = (event.target as HTMLElement).closest("input, textarea, select, [contenteditable]");
        if (field || event.shiftKey || event.key !== "z" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        onUndo();
      }}
    >
      {children}
      {over && (
        <div className={styles.drop} aria-hidden="true">
          Drop the file: it is read here, and sent nowhere.
        </div>
      )}
    </div>
  );
}
