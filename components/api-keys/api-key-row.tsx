import { UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { useLocale, useTranslations } from "use-intl";
import { storedPermissions } from "@/server/api-keys/schema/permissions";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import { Code } from "../ui/copy";
import kit from "../ui/kit.module.css";
import { MoreMenu } from "../ui/more-menu";
import { notify, notifyError } from "../ui/notify";
import { SecretDialog } from "../ui/secret-dialog";
import { StatusPill } from "../ui/status-pill";
import { Time } from "../ui/time";
import { type Offer, OfferItems, useOffers } from "../ui/verbs";

export type ApiKey = Outputs["keys"]["list"]["keys"][number];
/** A key's secret, which is shown once. */
export type CreatedKey = { secret: string; forAllNewsletters: boolean };
type Props = { apiKey: ApiKey; isChosen: boolean; onChoose(): void; onCreated(created: CreatedKey): void };

export function ApiKeyRow({ apiKey: key, isChosen, onChoose, onCreated }: Props) {
  const t = useTranslations("api.key");
  const words = new Intl.ListFormat(useLocale());
  const { isOwner } = useViewer();
  const isLive = key.state === "live" || key.state === "rotated";
  const granted = storedPermissions.filter((one) => key.permissions.includes(one));
  const { lastUsedAt, lastUsedFrom, expiresAt, networks } = key;
  const used = lastUsedAt && { time: () => <Time at={lastUsedAt} /> };
  return (
    <li
      data-chosen={isChosen || undefined}
      data-ended={isLive ? undefined : true}
      data-rotated={key.state === "rotated" || undefined}
    >
      <UnstyledButton className={kit.pick} onClick={onChoose} aria-pressed={isChosen}>
        <b>{key.name}</b>
        <StatusPill status={key.state} />
        <span className={kit.quiet}>
          <code>{key.prefix}…</code> · {words.format(granted.map((one) => t(`permissions.${one}`)))} ·{" "}
          {!used
            ? t("neverUsed")
            : lastUsedFrom
              ? t.rich("usedFrom", { ...used, address: lastUsedFrom })
              : t.rich("used", used)}
          {key.forAllNewsletters && ` · ${t("forAllNewsletters")}`}
          {networks.length > 0 && ` · ${t("networks", { list: words.format(networks) })}`}
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

function KeyMenu({ apiKey, onCreated }: Pick<Props, "apiKey" | "onCreated">) {
  const { id: keyId, name, forAllNewsletters } = apiKey;
  const t = useTranslations("api.key");
  const { newsletterId } = useViewer();
  const [asking, setAsking] = useState(false);
  const revoke = api.keys.revoke.useMutation({ onSuccess: () => notify(t("revoked", { name })) });
  const rotate = api.keys.rotate.useMutation({
    onSuccess: ({ secret }) => onCreated({ secret, forAllNewsletters }),
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

export function ApiKeySecret({ created, onClose }: { created: CreatedKey; onClose(): void }) {
  const t = useTranslations("api");
  const { secret } = created;
  const curl = useCurl();
  return (
    <SecretDialog
      title={t("newKey.createdTitle")}
      text={t("newKey.createdText")}
      label={t("newKey.secret")}
      secret={secret}
      onClose={onClose}
    >
      <h2>{t("example.titleWithThisKey")}</h2>
      <Code label={t("example.code")}>{curl(secret, created)}</Code>
    </SecretDialog>
  );
}

/** Returns a function that writes a call which adds a person, ready for a terminal. */
export function useCurl() {
  const { appUrl, newsletterId } = useViewer();
  return (secret: string, { forAllNewsletters }: Pick<CreatedKey, "forAllNewsletters">): string =>
    [
      `curl '${appUrl}/api/v1${forAllNewsletters ? `/newsletters/${newsletterId}` : ""}/subscribers'`,
      `-H 'Authorization: Bearer ${secret}'`,
      "-H 'Content-Type: application/json'",
      `-d '{"email": "ada@lovelace.org", "name": "Ada Lovelace", "status": "pending"}'`,
    ].join(" \\\n  ");
}
