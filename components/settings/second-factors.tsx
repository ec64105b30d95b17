"use client";
import { Button, Group } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { callAuth } from "../sign-in/call-auth";
import { addPasskey, passkeysWork } from "../sign-in/passkeys";
import { api, type Outputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import kit from "../ui/kit.module.css";
import { Loaded } from "../ui/list-page";
import { notify, notifyError } from "../ui/notify";
import { Time } from "../ui/time";
import { AuthenticatorApp } from "./authenticator-app";
import { PasswordAsked } from "./password-asked";
import { RecoveryCodes } from "./recovery-codes";
import { useDeviceName } from "./use-device-name";

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

function PasskeyRow({
  passkey: { id, name, createdAt },
  onRemoved,
}: {
  passkey: Passkey;
  onRemoved(): void;
}) {
  const t = useTranslations("settings.you.passkeys");
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const remove = async () => {
    setBusy(true);
    try {
      await callAuth("passkey/delete-passkey", { id });
      setAsking(false);
      notify(t("removal.done"));
      onRemoved();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  const label = name || t("unnamed");
  return (
    <li>
      <div className={kit.entry}>
        <b>{label}</b>
        <div className={kit.quiet}>
          {t("kind")}
          {createdAt && <> · {t.rich("since", { time: () => <Time at={createdAt} /> })}</>}
        </div>
      </div>
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
          busy={busy}
          error={error}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          <p>{t("removal.consequence", { name: label })}</p>
        </Confirm>
      )}
    </li>
  );
}

function AddPasskey({ first, onAdded }: { first: boolean; onAdded(): void }) {
  const t = useTranslations("settings.you.passkeys");
  const [busy, setBusy] = useState(false);
  // Only the browser knows whether it supports passkeys.
  const [works, setWorks] = useState(true);
  useEffect(() => setWorks(passkeysWork()), []);
  const nameOf = useDeviceName();
  const add = async () => {
    setBusy(true);
    try {
      await addPasskey(nameOf(navigator.userAgent));
      notify(t("added"));
      onAdded();
    } catch (error) {
      notifyError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <li>
      <div className={kit.entry}>
        <b>{first ? t("first") : t("another")}</b>
        <div className={kit.quiet}>{works ? t("addHint") : t("unsupported")}</div>
      </div>
      <Button variant="default" loading={busy} disabled={!works} onClick={add}>
        {t("add")}
      </Button>
    </li>
  );
}

function NoAppRow({ onAdded }: { onAdded(): void }) {
  const t = useTranslations("settings.you.app");
  const [open, setOpen] = useState(false);
  return (
    <li>
      <div className={kit.entry}>
        <b>{t("name")}</b>
        <div className={kit.quiet}>{t("isOff")}</div>
      </div>
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
    </li>
  );
}

function AppRow({ onRemoved }: { onRemoved(): void }) {
  const t = useTranslations("settings.you");
  const [asking, setAsking] = useState<"codes" | "remove" | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const close = () => setAsking(null);
  return (
    <li>
      <div className={kit.entry}>
        <b>{t("app.name")}</b>
        <div className={kit.quiet}>{t("app.isOn")}</div>
      </div>
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
    </li>
  );
}
