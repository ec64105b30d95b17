import { Button, Modal, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { bold } from "../texts/bold";
import { useIsTop } from "../ui/dialog";
import { rejected } from "../ui/error-of";
import { Form, useServerForm } from "../ui/form";
import { callAuth } from "./call-auth";
import { signInWithPasskey, usePasskeysWork } from "./passkeys";
import { useRecentSignIn } from "./who-it-is";

type Props = {
  /** The address of the staff member who signs in again. */
  email: string;
  /** The submit button's text. */
  submit: string;
  onSignedIn(): void;
};

/** Signs in by password and, if set up, a code of the authenticator app; or by passkey. */
function SignInSteps({ email, submit, onSignedIn }: Props) {
  const t = useTranslations("signIn.steps");
  const [wantsCode, setWantsCode] = useState(false);
  const canUsePasskey = usePasskeysWork();
  const form = useServerForm({}, async (_values, { submitter }) => {
    if (submitter === "passkey") {
      await signInWithPasskey();
      return onSignedIn();
    }
    // The values come from the DOM: a password manager may have filled the form before React ran.
    const { password } = Object.fromEntries(new FormData(form.element.current ?? undefined));
    if (!password) throw rejected(t("passwordMissing"));
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

/** The dialog of `requireRecentSignIn`: the signed-in staff member signs in again. */
export default function RecentSignInDialog({ email }: { email: string }) {
  const t = useTranslations("signIn.again");
  const tConfirm = useTranslations("ui.confirm");
  const answer = useRecentSignIn();
  const isTop = useIsTop(answer !== null);
  return (
    <Modal.Root opened={answer !== null} onClose={() => isTop() && answer?.(false)} zIndex={300}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body>
          <Stack>
            {/* No header element: it would be a second banner, as this dialog covers another one. */}
            <Modal.Title>{t("title")}</Modal.Title>
            <p>{t.rich("text", { email, b: bold })}</p>
            <SignInSteps email={email} submit={t("confirm")} onSignedIn={() => answer?.(true)} />
            <Button variant="subtle" onClick={() => answer?.(false)}>
              {tConfirm("cancel")}
            </Button>
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
