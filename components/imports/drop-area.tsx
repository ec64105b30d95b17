import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import styles from "./form.module.css";

type Props = { onFiles(files: File[]): void; onUndo(): void; children: ReactNode };

/** Takes files that are dropped or pasted anywhere on the form. Ctrl-Z works wherever the focus is. */
export function DropArea({ onFiles, onUndo, children }: Props) {
  const t = useTranslations("imports.form");
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
        const dropped = [...event.dataTransfer.files];
        setOver(false);
        if (dropped.length === 0) return;
        event.preventDefault();
        onFiles(dropped);
      }}
      onPasteCapture={(event) => {
        const pasted = pastedFiles(event.clipboardData);
        if (pasted.length === 0) return;
        event.preventDefault();
        event.stopPropagation();
        onFiles(pasted);
      }}
      onKeyDown={(event) => {
        // Input fields have their own undo.
        const field = (event.target as HTMLElement).closest("input, textarea, select, [contenteditable]");
        if (field || event.shiftKey || event.key !== "z" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        onUndo();
      }}
    >
      {children}
      {over && (
        <div className={styles.drop} aria-hidden="true">
          {t("drop")}
        </div>
      )}
    </div>
  );
}

/** Returns copied files. Copied cells carry a picture beside their text; some systems add names to copied files. */
function pastedFiles(data: DataTransfer): File[] {
  const files = [...data.files];
  const names = new Set(files.map(({ name }) => name));
  const lines = data.getData("text/plain").split(/[\r\n]+/);
  return lines.every((line) => line === "" || names.has(line)) ? files : [];
}
