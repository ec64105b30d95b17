import { Button, Group, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { deviceName } from "@/server/staff/device-name";
import { callAuth } from "../sign-in/call-auth";
import { addPasskey, passkeysWork } from "../sign-in/passkeys";
import { api, type Outputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import { Code } from "../ui/copy";
import { Dialog } from "../ui/dialog";
import { FormDialog, useServerForm } from "../ui/form";
import kit from "../ui/kit.module.css";
import { Loaded } from "../ui/list-page";
import { notify, notifyError } from "../ui/notify";
import { onDemand } from "../ui/on-demand";
import { saveFile } from "../ui/save-file";
import { Row } from "../ui/states";
import { Time } from "../ui/time";

const QrCode = onDemand(() => import("./qr-code"), { texts: [] });

type Passkey = Outputs["account"]["secondFactors"]["passkeys"][number];

/** The staff member's passkeys and authenticator app. @param onAdded called after one is added */
export function SecondFactors({ onAdded }: { onAdded?(): void }) {
  const utils = api.useUtils();
  const query = api.account.secondFactors.useQuery();
  const changed = () => void utils.account.invalidate();
  const added = () => {
    changed();
    onAdded?.();
  };
  return (
    <Loaded query={query} rows={2}>
      {({ app, passkeys }) => (
        <ul className={kit.rows}>
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onRemoved={changed} />
          ))}
          <AddPasskey first={passkeys.length === 0} onAdded={added} />
          {app ? <AppRow onRemoved={changed} /> : <NoAppRow onAdded={added} />}
        </ul>
      )}
    </Loaded>
  );
}

function PasskeyRow({ passkey, onRemoved }: { passkey: Passkey; onRemoved(): void }) {
  const { id, name, createdAt } = passkey;
  const t = useTranslations("settings.you.passkeys");
  const [asking, setAsking] = useState(false);
  const remove = async () => {
    await callAuth("passkey/delete-passkey", { id });
    notify(t("removal.done"));
    onRemoved();
  };
  const label = name || t("unnamed");
  return (
    <Row
      title={label}
      note={
        <>
          {t("kind")}
          {createdAt && <> · {t.rich("since", { time: () => <Time at={createdAt} /> })}</>}
        </>
      }
    >
      <Button
        variant="default"
        aria-label={t("removeNamed", { name: label })}
        onClick={() => setAsking(true)}
      >
        {t("remove")}
      </Button>
      {asking && (
        <Confirm
          title={t("removal.title")}
          action={t("removal.action")}
          danger
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          <p>{t("removal.consequence", { name: label })}</p>
        </Confirm>
      )}
    </Row>
  );
}

function AddPasskey({ first, onAdded }: { first: boolean; onAdded(): void }) {
  const t = useTranslations("settings.you.passkeys");
  // Only the browser knows whether it supports passkeys.
  const [works, setWorks] = useState(true);
  useEffect(() => setWorks(passkeysWork()), []);
  const nameOf = useDeviceName();
  const add = useMutation({
    mutationFn: () => addPasskey(nameOf(navigator.userAgent)),
    onSuccess: () => {
      notify(t("added"));
      onAdded();
    },
    onError: notifyError,
  });
  return (
    <Row title={first ? t("first") : t("another")} note={works ? t("addHint") : t("unsupported")}>
      <Button variant="default" loading={add.isPending} disabled={!works} onClick={() => add.mutate()}>
        {t("add")}
      </Button>
    </Row>
  );
}

function NoAppRow({ onAdded }: { onAdded(): void }) {
  const t = useTranslations("settings.you.app");
  const [open, setOpen] = useState(false);
  return (
    <Row title={t("name")} note={t("isOff")}>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t("setUp")}
      </Button>
      {open && (
        <AuthenticatorApp
          onClose={(isSetUp) => {
            setOpen(false);
            if (isSetUp) onAdded();
          }}
        />
      )}
    </Row>
  );
}

function AppRow({ onRemoved }: { onRemoved(): void }) {
  const t = useTranslations("settings.you");
  const [asking, setAsking] = useState<"codes" | "remove" | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const close = () => setAsking(null);
  return (
    <Row title={t("app.name")} note={t("app.isOn")}>
      <Group gap="xs">
        <Button variant="default" onClick={() => setAsking("codes")}>
          {t("recoveryCodes.renew")}
        </Button>
        <Button variant="default" aria-label={t("app.removeNamed")} onClick={() => setAsking("remove")}>
          {t("app.remove")}
        </Button>
      </Group>
      {asking === "codes" && (
        <PasswordAsked
          title={t("recoveryCodes.renew")}
          text={t("recoveryCodes.oldStop")}
          submit={t("recoveryCodes.create")}
          onClose={close}
          save={async (password) => {
            const { backupCodes } = await callAuth("two-factor/generate-backup-codes", { password });
            close();
            setCodes(backupCodes ?? []);
          }}
        />
      )}
      {asking === "remove" && (
        <PasswordAsked
          title={t("app.removal.title")}
          text={t("app.removal.consequence")}
          submit={t("app.removal.action")}
          onClose={close}
          save={async (password) => {
            await callAuth("two-factor/disable", { password });
            close();
            notify(t("app.removal.done"));
            onRemoved();
          }}
        />
      )}
      {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />}
    </Row>
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

/** Names a browser and its system by the User-Agent header: "Firefox on Linux". */
export function useDeviceName(): (userAgent: string | null) => string {
  const t = useTranslations("settings.device");
  return (userAgent) => {
    const [browser = "", system] = deviceName(userAgent).split(" on ");
    const known = browser === "A browser" ? t("unknown") : browser;
    return system ? t("onSystem", { browser: known, system }) : known;
  };
}
