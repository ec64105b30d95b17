import { Button, Group } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { deviceName } from "@/server/staff/device-name";
import { callAuth } from "../sign-in/call-auth";
import { addPasskey, passkeysWork } from "../sign-in/passkeys";
import { api, type Outputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import kit from "../ui/kit.module.css";
import { Loaded } from "../ui/list-page";
import { notify, notifyError } from "../ui/notify";
import { onDemand } from "../ui/on-demand";
import { Row } from "../ui/states";
import { Time } from "../ui/time";

const AuthenticatorDialog = onDemand(() => import("./authenticator-dialog"), {
  isNear: true,
  texts: ["settings"],
});

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
        <AuthenticatorDialog
          task="setUp"
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
      {asking && (
        <AuthenticatorDialog
          task={asking}
          onClose={(isChanged) => {
            setAsking(null);
            if (isChanged) onRemoved();
          }}
        />
      )}
    </Row>
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
