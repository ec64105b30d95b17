"use client";
import { Button, Group } from "@mantine/core";
import { useEffect, useState } from "react";
import { deviceName } from "@/server/domain/device-name";
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

type Passkey = Outputs["account"]["secondFactors"]["passkeys"][number];

/** One's own passkeys and authenticator app. @param onAdded hears that there is one more */
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
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const remove = async () => {
    setBusy(true);
    try {
      await callAuth("passkey/delete-passkey", { id });
      setAsking(false);
      notify("Passkey removed.");
      onRemoved();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  const label = name || "A passkey";
  return (
    <li>
      <div className={kit.entry}>
        <b>{label}</b>
        <div className={kit.quiet}>
          passkey
          {createdAt && (
            <>
              {" "}
              · since <Time at={createdAt} />
            </>
          )}
        </div>
      </div>
      <Button variant="default" aria-label={`Remove the passkey ${label}`} onClick={() => setAsking(true)}>
        Remove
      </Button>
      {asking && (
        <Confirm
          title="Remove this passkey?"
          action="Remove 1 passkey"
          danger
          busy={busy}
          error={error}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          <p>{label} no longer signs you in. Delete it on the device, too.</p>
        </Confirm>
      )}
    </li>
  );
}

function AddPasskey({ first, onAdded }: { first: boolean; onAdded(): void }) {
  const [busy, setBusy] = useState(false);
  // Known in the browser only.
  const [works, setWorks] = useState(true);
  useEffect(() => setWorks(passkeysWork()), []);
  const add = async () => {
    setBusy(true);
    try {
      await addPasskey(deviceName(navigator.userAgent));
      notify("Passkey added. You can now sign in without a password.");
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
        <b>{first ? "Passkey" : "Another passkey"}</b>
        <div className={kit.quiet}>
          {works
            ? "Sign in with your fingerprint, face or device PIN."
            : "This browser does not support passkeys. Use a current browser."}
        </div>
      </div>
      <Button variant="default" loading={busy} disabled={!works} onClick={add}>
        Add a passkey
      </Button>
    </li>
  );
}

function NoAppRow({ onAdded }: { onAdded(): void }) {
  const [open, setOpen] = useState(false);
  return (
    <li>
      <div className={kit.entry}>
        <b>Authenticator app</b>
        <div className={kit.quiet}>A code from an app, in addition to your password.</div>
      </div>
      <Button variant="default" onClick={() => setOpen(true)}>
        Set up
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
  const [asking, setAsking] = useState<"codes" | "remove" | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const close = () => setAsking(null);
  return (
    <li>
      <div className={kit.entry}>
        <b>Authenticator app</b>
        <div className={kit.quiet}>on: asks for a code after your password</div>
      </div>
      <Group gap="xs">
        <Button variant="default" onClick={() => setAsking("codes")}>
          New recovery codes
        </Button>
        <Button
          variant="default"
          aria-label="Remove the authenticator app"
          onClick={() => setAsking("remove")}
        >
          Remove
        </Button>
      </Group>
      {asking === "codes" && (
        <PasswordAsked
          title="New recovery codes"
          text="The old codes stop working."
          submit="Create 10 codes"
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
          title="Remove the authenticator app?"
          text="You will sign in with your password alone. The recovery codes stop working, too."
          submit="Remove the app"
          onClose={close}
          save={async (password) => {
            await callAuth("two-factor/disable", { password });
            close();
            notify("Authenticator app removed.");
            onRemoved();
          }}
        />
      )}
      {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />}
    </li>
  );
}
