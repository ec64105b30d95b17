"use client";
import { TextInput } from "@mantine/core";
import { useMemo, useState } from "react";
import { encode } from "uqr";
import { useTranslations } from "use-intl";
import { callAuth } from "../sign-in/call-auth";
import { Code } from "../ui/copy";
import { useServerForm } from "../ui/form";
import { FormDialog } from "../ui/form-dialog";
import { PasswordAsked } from "./password-asked";
import { RecoveryCodes } from "./recovery-codes";
import styles from "./settings.module.css";

type Made = { uri: string; codes: string[] };

/**
 * Sets up an authenticator app: password, QR code, first code and recovery codes.
 * @param onClose receives whether the app is set up
 */
export function AuthenticatorApp({ onClose }: { onClose(isSetUp: boolean): void }) {
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
        label={t("code")}
        description={t("codeHint")}
        inputMode="numeric"
        autoComplete="one-time-code"
        data-autofocus
        {...form.getInputProps("code")}
      />
    </FormDialog>
  );
}

/** Dark on light in both colour schemes, because many cameras read nothing else. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = useMemo(() => encode(text, { border: 2 }), [text]);
  const dots = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg className={styles.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={dots.join("")} shapeRendering="crispEdges" />
    </svg>
  );
}
