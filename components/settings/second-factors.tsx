import { Button, Group } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ComponentProps, useState } from "react";
import { useTranslations } from "use-intl";
import { deviceName } from "@/server/staff/device-name";
import { callAuth } from "../sign-in/call-auth";
import { addPasskey, usePasskeysWork } from "../sign-in/passkeys";
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
type Task = ComponentProps<typeof AuthenticatorDialog>["task"];

/** The staff member's passkeys and authenticator app. @param onAdded called after one is added */
export function SecondFactors({ onAdded }: { onAdded?(): void }) {
  const utils = api.useUtils();
  const query = api.account.secondFactors.useQuery();
  const [task, setTask] = useState<Task | null>(null);
  const changed = () => void utils.account.invalidate();
  return (
    <>
      <Loaded query={query} rows={2}>
        {({ app, passkeys }) => (
          <ul className={kit.rows}>
            {passkeys.map((passkey) => (
              <PasskeyRow key={passkey.id} passkey={passkey} onRemoved={changed} />
            ))}
            <AddPasskey first={passkeys.length === 0} onAdded={onAdded} />
            <AppRow isSetUp={app} onTask={setTask} />
          </ul>
        )}
      </Loaded>
      {task && (
        <AuthenticatorDialog
          task={task}
          onClose={(isChanged) => {
            setTask(null);
            if (!isChanged) return;
            changed();
            if (task === "setUp") onAdded?.();
          }}
        />
      )}
    </>
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

function AddPasskey({ first, onAdded }: { first: boolean; onAdded?(): void }) {
  const t = useTranslations("settings.you.passkeys");
  const works = usePasskeysWork();
  const nameOf = useDeviceName();
  const add = useMutation({
    mutationFn: () => addPasskey(nameOf(navigator.userAgent)),
    onSuccess: () => {
      notify(t("added"));
      onAdded?.();
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

function AppRow({ isSetUp, onTask }: { isSetUp: boolean; onTask(task: Task): void }) {
  const t = useTranslations("settings.you");
  if (!isSetUp) {
    return (
      <Row title={t("app.name")} note={t("app.isOff")}>
        <Button variant="default" onClick={() => onTask("setUp")}>
          {t("app.setUp")}
        </Button>
      </Row>
    );
  }
  return (
    <Row title={t("app.name")} note={t("app.isOn")}>
      <Group gap="xs">
        <Button variant="default" onClick={() => onTask("codes")}>
          {t("recoveryCodes.renew")}
        </Button>
        <Button variant="default" aria-label={t("app.removeNamed")} onClick={() => onTask("remove")}>
          {t("app.remove")}
        </Button>
      </Group>
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
