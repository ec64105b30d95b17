import { Button, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Code } from "./copy";
import { Dialog } from "./dialog";

type Props = {
  title: string;
  /** Where it belongs, and that it is not shown again. */
  text: ReactNode;
  label: string;
  secret: string;
  /** What can be done with it at once. */
  children?: ReactNode;
  onClose(): void;
};

/** The only time a secret is seen: it does not close by accident. */
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
