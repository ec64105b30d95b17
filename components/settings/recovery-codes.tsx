"use client";
import { Button, Stack } from "@mantine/core";
import { useTranslations } from "use-intl";
import { saveFile } from "../subscribers/export";
import { Code } from "../ui/copy";
import { Dialog } from "../ui/dialog";

/** Shows new recovery codes, once. */
export function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose(): void }) {
  const t = useTranslations("settings.you.recoveryCodes");
  const text = codes.join("\n");
  return (
    <Dialog onClose={onClose} title={t("title")} closeOnClickOutside={false}>
      <Stack>
        <p>{t("text")}</p>
        <Code label={t("codes")}>{text}</Code>
        <Button variant="default" onClick={() => saveFile("rollcall-recovery-codes.txt", "text/plain", text)}>
          {t("saveFile")}
        </Button>
        <Button onClick={onClose}>{t("areSaved")}</Button>
      </Stack>
    </Dialog>
  );
}
