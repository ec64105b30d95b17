import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { RejectedError } from "../ui/error-of";
import { Form, useServerForm } from "../ui/form";
import { callAuth } from "./call-auth";
import { passkeysWork, signInWithPasskey } from "./passkeys";

type Props = {
  /** The address of the staff member who signs in again. */
  email: string;
  /** The submit button's text. */
  submit: string;
  onSignedIn(): void;
};

/** Signs in by password and, if set up, a code of the authenticator app; or by passkey. */
export function SignInSteps({ email, submit, onSignedIn }: Props) {
  const t = useTranslations("signIn.steps");
  const [wantsCode, setWantsCode] = useState(false);
  // The button is there at first render. A later button would move the link below it away from the pointer.
  const [canUsePasskey, setCanUsePasskey] = useState(true);
  useEffect(() => setCanUsePasskey(passkeysWork()), []);
  const form = useServerForm({}, async (_values, { submitter }) => {
    if (submitter === "passkey") {
      await signInWithPasskey();
      return onSignedIn();
    }
    // The values come from the DOM: a password manager may have filled the form before React ran.
    const { password } = Object.fromEntries(new FormData(form.element.current ?? undefined));
    if (!password) throw new RejectedError({ message: t("passwordMissing"), errors: {}, code: null });
    const { twoFactorRedirect } = await callAuth("sign-in/email", { email, password });
    if (twoFactorRedirect) setWantsCode(true);
    else onSignedIn();
  });
  if (wantsCode) return <CodeStep submit={submit} onSignedIn={onSignedIn} />;
  const passkey = (
    <Button type="submit" variant="default" name="way" value="passkey" disabled={form.busy}>
      {t("usePasskey")}
    </Button>
  );
  return (
    <Form form={form} submit={submit} actions={canUsePasskey && passkey}>
      <PasswordInput name="password" label={t("password")} autoComplete="current-password" data-autofocus />
    </Form>
  );
}

/** The second step: a code of the authenticator app, or a recovery code. */
function CodeStep({ submit, onSignedIn }: Pick<Props, "submit" | "onSignedIn">) {
  const t = useTranslations("signIn.steps");
  const [byRecovery, setByRecovery] = useState(false);
  const form = useServerForm({ code: "" }, async ({ code }) => {
    const path = byRecovery ? "two-factor/verify-backup-code" : "two-factor/verify-totp";
    await callAuth(path, { code: code.replace(/\s/g, "") });
    onSignedIn();
  });
  const other = (
    <Button
      variant="subtle"
      onClick={() => {
        form.reset();
        setByRecovery(!byRecovery);
      }}
    >
      {byRecovery ? t("useApp") : t("useRecoveryCode")}
    </Button>
  );
  return (
    <Form form={form} submit={submit} actions={other}>
      {byRecovery ? (
        <TextInput
          {...form.input("code", t("recoveryCode"), t("recoveryCodeHint"))}
          key="recovery"
          autoComplete="off"
          autoFocus
        />
      ) : (
        <TextInput
          {...form.input("code", t("code"), t("codeHint"))}
          key="app"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
        />
      )}
    </Form>
  );
}
