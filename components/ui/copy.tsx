import { Button, Stack } from "@mantine/core";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { icons } from "./icons";
import styles from "./kit.module.css";
import { notify } from "./notify";

/** How long a button says that it has copied. */
const COPIED_MS = 2_000;

/** Copies a text. On a page without https, browsers offer only the older command. @returns whether it is copied */
async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const give = (event: ClipboardEvent) => {
    event.preventDefault();
    event.clipboardData?.setData("text/plain", text);
  };
  document.addEventListener("copy", give, { once: true });
  const isCopied = document.execCommand("copy");
  document.removeEventListener("copy", give);
  return isCopied;
}

/** Returns a function that copies a text and says so, or says how to copy it by hand. */
export function useCopyText(): (text: string, done: string) => Promise<void> {
  const t = useTranslations("ui.copy");
  return async (text, done) => notify((await copyText(text)) ? done : t("byHand", { text }));
}

export function CopyButton({ value, children }: { value: string; children?: string }) {
  const t = useTranslations("ui.copy");
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(value))) return notify(t("failed"));
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <Button
      variant="default"
      leftSection={copied ? <icons.check /> : <icons.copy />}
      onClick={() => void copy()}
    >
      <span aria-live="polite">{copied ? t("copied") : (children ?? t("copy"))}</span>
    </Button>
  );
}

/** Shows code with a copy button. */
export function Code({ children, label }: { children: string; label: string }) {
  return (
    <Stack component="section" gap="xs" align="flex-start" className={styles.code} aria-label={label}>
      <pre>{children}</pre>
      <CopyButton value={children} />
    </Stack>
  );
}
