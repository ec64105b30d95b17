import { Button, Stack } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { useTranslations } from "use-intl";
import { icons } from "./icons";
import styles from "./kit.module.css";

export function CopyButton({ value, children }: { value: string; children?: string }) {
  const t = useTranslations("ui.copy");
  const { copied, copy } = useClipboard({ timeout: 2000 });
  return (
    <Button
      variant="default"
      leftSection={copied ? <icons.check /> : <icons.copy />}
      onClick={() => copy(value)}
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
