"use client";
import { Switch } from "@mantine/core";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { Confirm } from "../ui/confirm";
import { notify } from "../ui/notify";
import styles from "./api.module.css";

/** The account's API switch. Off rejects the keys of all newsletters at once. */
export function ApiAccess({ on }: { on: boolean }) {
  const t = useTranslations("api.access");
  const { isOwner, account } = useViewer();
  const [asking, setAsking] = useState(false);
  const change = api.account.apiAccess.useMutation({
    onSuccess: (_, input) => notify(input.on ? t("turnedOn") : t("turnedOff")),
  });
  return (
    <div className={styles.access} data-off={on ? undefined : true}>
      <Switch
        label={on ? t("on") : t("off")}
        description={
          on ? t("onDescription", { account: account.name }) : t("offDescription", { account: account.name })
        }
        checked={on}
        disabled={!isOwner}
        onChange={() => (on ? setAsking(true) : change.mutate({ on: true }))}
      />
      {asking && (
        <Confirm
          title={t("turnOffTitle")}
          action={t("turnOff")}
          danger
          onConfirm={() => change.mutateAsync({ on: false })}
          onClose={() => setAsking(false)}
        >
          <p>{t("turnOffText", { account: account.name })}</p>
        </Confirm>
      )}
    </div>
  );
}
