import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { callAuth } from "../sign-in/call-auth";
import { Code } from "../ui/copy";
import { Dialog } from "../ui/dialog";
import { FormDialog, useServerForm } from "../ui/form";
import { notify } from "../ui/notify";
import { onDemand } from "../ui/on-demand";
import { saveFile } from "../ui/save-file";

const QrCode = onDemand(() => import("./qr-code"), { texts: [] });

type Props = {
  task: "setUp" | "codes" | "remove";
  /** @param isChanged whether the app is now set up, or removed */
  onClose(isChanged: boolean): void;
};

/** Sets up the authenticator app, renews its recovery codes or removes it. */
export default function AuthenticatorDialog({ task, onClose }: Props) {
  if (task === "setUp") return <AuthenticatorApp onClose={onClose} />;
  return task === "codes" ? <NewCodes onClose={() => onClose(false)} /> : <Removal onClose={onClose} />;
}

function NewCodes({ onClose }: { onClose(): void }) {
  const t = useTranslations("settings.you.recoveryCodes");
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes) return <RecoveryCodes codes={codes} onClose={onClose} />;
  return (
    <PasswordAsked
      title={t("renew")}
      text={t("oldStop")}
      submit={t("create")}
      onClose={onClose}
      save={async (password) => {
        const { backupCodes } = await callAuth("two-factor/generate-backup-codes", { password });
        setCodes(backupCodes ?? []);
      }}
    />
  );
}

function Removal({ onClose }: Pick<Props, "onClose">) {
  const t = useTranslations("settings.you.app.removal");
  return (
    <PasswordAsked
      title={t("title")}
      text={t("consequence")}
      submit={t("action")}
      onClose={() => onClose(false)}
      save={async (password) => {
        await callAuth("two-factor/disable", { password });
        notify(t("done"));
        onClose(true);
      }}
    />
  );
}

type Made = { uri: string; codes: string[] };

/**
 * Sets up an authenticator app: password, QR code, first code and recovery codes.
 * @param onClose receives whether the app is set up
 */
function AuthenticatorApp({ onClose }: { onClose(isSetUp: boolean): void }) {
  const t = useTranslations("settings.you.app");
  const [made, setMade] = useState<Made | null>(null);
  const [isSetUp, setSetUp] = useState(false);
  if (made === null) {
    return (
      <PasswordAsked
        title={t("setUpTitle")}
        text={t("setUpText")}
        submit={t("continue")}
        onClose={() => onClose(false)}
        save={async (password) => {
          const { totpURI, backupCodes } = await callAuth("two-factor/enable", { password });
          setMade({ uri: totpURI ?? "", codes: backupCodes ?? [] });
        }}
      />
    );
  }
  if (isSetUp) return <RecoveryCodes codes={made.codes} onClose={() => onClose(true)} />;
  return <FirstCode uri={made.uri} onClose={() => onClose(false)} onSetUp={() => setSetUp(true)} />;
}

function FirstCode({ uri, onClose, onSetUp }: { uri: string; onClose(): void; onSetUp(): void }) {
  const t = useTranslations("settings.you.app");
  const form = useServerForm({ code: "" }, async ({ code }) => {
    await callAuth("two-factor/confirm", { code: code.replace(/\s/g, "") });
    onSetUp();
  });
  return (
    <FormDialog title={t("scanTitle")} form={form} submit={t("setUp")} onClose={onClose}>
      <QrCode text={uri} label={t("qrCode")} />
      <p>{t("orEnter")}</p>
      <Code label={t("secret")}>{new URL(uri).searchParams.get("secret") ?? ""}</Code>
      <TextInput
        {...form.input("code", t("code"), t("codeHint"))}
        inputMode="numeric"
        autoComplete="one-time-code"
        data-autofocus
      />
    </FormDialog>
  );
}

type PasswordProps = {
  title: string;
  text: string;
  /** The submit button's text. */
  submit: string;
  save(password: string): Promise<void>;
  onClose(): void;
};

/** Asks for the password before a change of sign-in methods. */
function PasswordAsked({ title, text, submit, save, onClose }: PasswordProps) {
  const t = useTranslations("settings.you.password");
  const form = useServerForm({ password: "" }, ({ password }) => save(password));
  return (
    <FormDialog title={title} form={form} submit={submit} onClose={onClose}>
      <p>{text}</p>
      <PasswordInput {...form.input("password", t("asked"))} autoComplete="current-password" data-autofocus />
    </FormDialog>
  );
}

/** Shows new recovery codes, once. */
function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose(): void }) {
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
