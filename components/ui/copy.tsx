import { Button, Stack } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Dialog } from "./dialog";
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

type Props = {
  title: string;
  /** Says where the secret belongs, and that it is shown only once. */
  text: ReactNode;
  label: string;
  secret: string;
  /** Actions for the secret, such as a test. */
  children?: ReactNode;
  onClose(): void;
};

/** Shows a secret once. The dialog can't be closed by accident. */
export function SecretDialog({ title, text, label, secret, children, onClose }: Props) {
  const t = useTranslations("ui.secret");
  return (
    <Dialog onClose={onClose} title={title} size="lg" closeOnClickOutside={false} closeOnEscape={false}>
      <Stack>
        <p>{text}</p>
        <Code label={label}>{secret}</Code>
        {children}
        <Button onClick={onClose} ml="auto">
          {t("done")}
        </Button>
      </Stack>
    </Dialog>
  );
}
