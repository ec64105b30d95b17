import { Button, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Code } from "./copy";
import { Dialog } from "./dialog";

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
