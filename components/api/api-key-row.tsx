"use client";
import { UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import kit from "../ui/kit.module.css";
import { MoreMenu } from "../ui/more-menu";
import { notify, notifyError } from "../ui/notify";
import { StatusPill } from "../ui/status";
import { Time } from "../ui/time";
import { type Offer, OfferItems, useOffers } from "../ui/verbs";
import styles from "./api.module.css";

export type ApiKey = Outputs["keys"]["list"]["keys"][number];
type Props = { apiKey: ApiKey; isChosen: boolean; onChoose(): void; onCreated(secret: string): void };

export function ApiKeyRow({ apiKey: key, isChosen, onChoose, onCreated }: Props) {
  const { isOwner } = useViewer();
  const isLive = key.state === "live";
  return (
    <li data-chosen={isChosen || undefined} data-ended={isLive ? undefined : true}>
      <UnstyledButton className={styles.key} onClick={onChoose} aria-pressed={isChosen}>
        <b>{key.name}</b>
        <StatusPill status={key.state} />
        <span className={kit.quiet}>
          <code>{key.prefix}…</code> ·{" "}
          {key.permissions.map((one) => one.replace("subscribers:", "")).join(" and ")} ·{" "}
          {key.lastUsedAt ? (
            <>
              used <Time at={key.lastUsedAt} />
              {key.lastUsedFrom && ` from ${key.lastUsedFrom}`}
            </>
          ) : (
            "never used"
          )}
          {isLive && key.expiresAt && (
            <>
              {" · expires "}
              <Time at={key.expiresAt} />
            </>
          )}
        </span>
      </UnstyledButton>
      {isOwner && isLive && <KeyMenu apiKey={key} onCreated={onCreated} />}
    </li>
  );
}

function KeyMenu({ apiKey: { id: keyId, name }, onCreated }: Pick<Props, "apiKey" | "onCreated">) {
  const { newsletterId } = useViewer();
  const [asking, setAsking] = useState(false);
  const revoke = api.keys.revoke.useMutation({
    onSuccess: () => {
      setAsking(false);
      notify(`${name} revoked.`);
    },
  });
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
  useOffers(`Key ${name}`, offers);
  return (
    <>
      <MoreMenu label={name}>
        <OfferItems offers={offers} />
      </MoreMenu>
      {asking && (
        <Confirm
          title={`Revoke ${name}?`}
          action="Revoke 1 key"
          danger
          busy={revoke.isPending}
          error={revoke.error}
          onConfirm={() => revoke.mutate({ newsletterId, keyId })}
          onClose={() => setAsking(false)}
        >
          <p>
            Requests with this key are rejected immediately. This cannot be undone. Create a new key to
            replace it.
          </p>
        </Confirm>
      )}
    </>
  );
}
