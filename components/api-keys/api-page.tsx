"use client";
import { Button, Stack, Switch } from "@mantine/core";
import Link from "next/link";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useViewer } from "../shell/viewer";
import { code } from "../texts/code";
import { api } from "../trpc";
import { Confirm } from "../ui/confirm";
import { Code } from "../ui/copy";
import { icons } from "../ui/icons";
import kit from "../ui/kit.module.css";
import { ListPage } from "../ui/list-page";
import { notify, notifyError } from "../ui/notify";
import { onDemand } from "../ui/on-demand";
import { Empty } from "../ui/states";
import styles from "./api.module.css";
import { type ApiKey, ApiKeyRow, ApiKeySecret, type CreatedKey, useCurl } from "./api-key-row";
import { ApiRequests, useRequestFilter } from "./api-requests";

const NewApiKey = onDemand(() => import("./new-api-key"), { isNear: true, texts: ["api"] });

/** The newsletter's API keys, an example call and the request log. */
export function ApiPage() {
  const t = useTranslations("api.page");
  const { newsletterId, mayManage } = useViewer();
  const query = api.keys.list.useQuery({ newsletterId });
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const filter = useRequestFilter();
  const create = mayManage && (
    <Button leftSection={<icons.add />} onClick={() => setCreating(true)}>
      {t("newKey")}
    </Button>
  );
  return (
    <ListPage
      title={t("title")}
      actions={
        <>
          <Button component={Link} href={`/n/${newsletterId}/api/webhooks`} variant="default">
            {t("webhooks")}
          </Button>
          {create}
        </>
      }
      query={query}
      rows={4}
      tools={query.data && <ApiAccess on={query.data.apiAccess} />}
      empty={
        query.data?.keys.length === 0 && (
          <Empty title={t("emptyTitle")} action={create}>
            {t("emptyText")}
          </Empty>
        )
      }
      footer={
        <>
          {isCreating && (
            <NewApiKey
              onClose={() => setCreating(false)}
              onCreated={(key) => {
                setCreating(false);
                setCreated(key);
              }}
            />
          )}
          {created && <ApiKeySecret created={created} onClose={() => setCreated(null)} />}
        </>
      }
    >
      {({ keys }) => (
        <>
          <div className={styles.columns}>
            <section aria-label={t("keys")}>
              <ul className={`${kit.picks} ${styles.keys}`}>
                {withReplaced(keys).map((key) => (
                  <ApiKeyRow
                    key={key.id}
                    apiKey={key}
                    isChosen={key.id === filter.key}
                    onChoose={() => filter.set({ key: key.id === filter.key ? null : key.id })}
                    onCreated={setCreated}
                  />
                ))}
              </ul>
            </section>
            <Example
              apiKey={keys.find(({ id }) => id === filter.key) ?? keys.find(({ state }) => state === "live")}
            />
          </div>
          <ApiRequests keys={keys} filter={filter} />
        </>
      )}
    </ListPage>
  );
}

/** Puts each rotated key below the key that replaced it. The others stay newest first. */
function withReplaced(keys: ApiKey[]): ApiKey[] {
  const isBelow = (key: ApiKey) => key.state === "rotated" && keys.some(({ id }) => id === key.replacedBy);
  const withOlder = (key: ApiKey): ApiKey[] => [
    key,
    ...keys.filter((older) => isBelow(older) && older.replacedBy === key.id).flatMap(withOlder),
  ];
  return keys.filter((key) => !isBelow(key)).flatMap(withOlder);
}

/** An example call with one of the keys. */
function Example({ apiKey }: { apiKey: ApiKey | undefined }) {
  const t = useTranslations("api.example");
  const curl = useCurl();
  const prefix = `${apiKey?.prefix ?? "sk_"}…`;
  return (
    <Stack component="section" gap="xs" pt="sm" aria-label={t("label")}>
      <h2>{apiKey ? t("titleWithKey", { name: apiKey.name }) : t("title")}</h2>
      <p className={kit.quiet}>{t.rich("keyBegins", { prefix, code })}</p>
      <Code label={t("code")}>{curl(prefix, apiKey ?? { forAllNewsletters: false })}</Code>
      <p className={kit.quiet}>
        {t.rich("documentation", {
          docs: (chunks) => <a href="/docs">{chunks}</a>,
          openapi: (chunks) => <a href="/api/v1/openapi.json">{chunks}</a>,
        })}
      </p>
    </Stack>
  );
}

/** The account's API switch. Off rejects the keys of all newsletters at once. */
function ApiAccess({ on }: { on: boolean }) {
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
        description={t(on ? "onDescription" : "offDescription", { account: account.name })}
        checked={on}
        disabled={!isOwner}
        onChange={() => (on ? setAsking(true) : change.mutateAsync({ on: true }).catch(notifyError))}
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
