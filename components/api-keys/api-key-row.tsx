"use client";
import { UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { useLocale, useTranslations } from "use-intl";
import { permissions } from "@/server/api-keys/schema/permissions";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import kit from "../ui/kit.module.css";
import { MoreMenu } from "../ui/more-menu";
import { notify, notifyError } from "../ui/notify";
import { StatusPill } from "../ui/status-pill";
import { Time } from "../ui/time";
import { type Offer, OfferItems, useOffers } from "../ui/verbs";
import styles from "./api.module.css";
import { permissionKeys } from "./new-api-key";

export type ApiKey = Outputs["keys"]["list"]["keys"][number];
type Props = { apiKey: ApiKey; isChosen: boolean; onChoose(): void; onCreated(secret: string): void };

export function ApiKeyRow({ apiKey: key, isChosen, onChoose, onCreated }: Props) {
  const t = useTranslations("api.key");
  const words = new Intl.ListFormat(useLocale());
  const { isOwner } = useViewer();
  const isLive = key.state === "live";
  const granted = permissions.filter((one) => key.permissions.includes(one));
  const { lastUsedAt, lastUsedFrom, expiresAt } = key;
  const used = lastUsedAt && { time: () => <Time at={lastUsedAt} /> };
  return (
    <li data-chosen={isChosen || undefined} data-ended={isLive ? undefined : true}>
      <UnstyledButton className={styles.key} onClick={onChoose} aria-pressed={isChosen}>
        <b>{key.name}</b>
        <StatusPill status={key.state} />
        <span className={kit.quiet}>
          <code>{key.prefix}…</code> ·{" "}
          {words.format(granted.map((one) => t(`permissions.${permissionKeys[one]}`)))} ·{" "}
          {!used
            ? t("neverUsed")
            : lastUsedFrom
              ? t.rich("usedFrom", { ...used, address: lastUsedFrom })
              : t.rich("used", used)}
          {isLive && expiresAt && (
            <>
              {" · "}
              {t.rich("expires", { time: () => <Time at={expiresAt} /> })}
            </>
          )}
        </span>
      </UnstyledButton>
      {isOwner && isLive && <KeyMenu apiKey={key} onCreated={onCreated} />}
    </li>
  );
}

function KeyMenu({ apiKey: { id: keyId, name }, onCreated }: Pick<Props, "apiKey" | "onCreated">) {
  const t = useTranslations("api.key");
  const { newsletterId } = useViewer();
  const [asking, setAsking] = useState(false);
  const revoke = api.keys.revoke.useMutation({ onSuccess: () => notify(t("revoked", { name })) });
  const rotate = api.keys.rotate.useMutation({
    onSuccess: ({ secret }) => onCreated(secret),
    onError: notifyError,
  });
  const rotateIn = (overlapHours: number) => rotate.mutate({ newsletterId, keyId, overlapHours });
  const offers: Offer[] = [
    { verb: "rotate", run: () => rotateIn(24) },
    { verb: "rotateSlowly", run: () => rotateIn(168) },
    { verb: "revoke", run: () => setAsking(true) },
  ];
  useOffers(t("offers", { name }), offers);
  return (
    <>
      <MoreMenu label={name}>
        <OfferItems offers={offers} />
      </MoreMenu>
      {asking && (
        <Confirm
          title={t("revokeTitle", { name })}
          action={t("revoke")}
          danger
          onConfirm={() => revoke.mutateAsync({ newsletterId, keyId })}
          onClose={() => setAsking(false)}
        >
          <p>{t("revokeText")}</p>
        </Confirm>
      )}
    </>
  );
}
