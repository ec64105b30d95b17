"use client";
import { ActionIcon, Button, Menu, Switch } from "@mantine/core";
import { useState } from "react";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import { Code } from "../ui/copy";
import { icons } from "../ui/icons";
import { Page } from "../ui/list-page";
import { notify, notifyError } from "../ui/notify";
import { Empty, Failed, Loading } from "../ui/states";
import { Status } from "../ui/status";
import { Time } from "../ui/time";
import { curlFor } from "./curl";
import { KeyMade, NewKeyDialog } from "./key-dialogs";
import styles from "./keys.module.css";
import { Lockouts } from "./lockouts";
import { RequestLog } from "./request-log";
import { useRequestView } from "./request-view";

type Key = Outputs["keys"]["list"]["keys"][number];

/** Who may speak for the newsletter through the API, and how it is spoken. */
export function KeysPage() {
  const { newsletterId, isOwner, appUrl } = useViewer();
  const list = api.keys.list.useQuery({ newsletterId });
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  const log = useRequestView();
  const keys = list.data?.keys;
  const key = keys?.find((one) => one.id === log.key) ?? keys?.find((one) => one.state === "live");
  const create = isOwner && (
    <Button leftSection={<icons.add />} onClick={() => setMaking(true)}>
      New key
    </Button>
  );
  return (
    <Page title="API" actions={create}>
      {list.error && <Failed error={list.error} retry={() => list.refetch()} />}
      {list.isPending && <Loading rows={4} />}
      {list.data && <Access on={list.data.apiAccess} />}
      <Lockouts
        newsletterId={newsletterId}
        onShow={(keyId) => log.show({ key: keyId, answer: "rejected" })}
      />
      {keys?.length === 0 && (
        <Empty title="No keys yet" action={create}>
          A key lets a website or a program add people to this newsletter, and read them. It is shown once.
        </Empty>
      )}
      {keys && keys.length > 0 && (
        <div className={styles.layout}>
          <section aria-label="Keys">
            <ul className={styles.list}>
              {keys.map((one) => (
                <KeyRow
                  key={one.id}
                  apiKey={one}
                  chosen={one.id === log.key}
                  onChoose={() => log.show({ key: one.id === log.key ? null : one.id })}
                  onMade={setMade}
                />
              ))}
            </ul>
          </section>
          <section aria-label="How to call it" className={styles.example}>
            <h2>Add a person{key && ` with ${key.name}`}</h2>
            <p>The key begins with {key ? <code>{key.prefix}…</code> : "sk_…"}; put the whole of it there.</p>
            <Code label="A call with curl">{curlFor(appUrl, `${key?.prefix ?? "sk_"}…`)}</Code>
            <p>
              <a href="/docs">The manual</a> shows every call and tries it; programs read{" "}
              <a href="/api/v1/openapi.json">its OpenAPI</a>.
            </p>
          </section>
        </div>
      )}
      {keys && keys.length > 0 && <RequestLog newsletterId={newsletterId} keys={keys} log={log} />}
      {making && (
        <NewKeyDialog
          onClose={() => setMaking(false)}
          onMade={(secret) => {
            setMaking(false);
            setMade(secret);
          }}
        />
      )}
      {made && <KeyMade secret={made} onClose={() => setMade(null)} />}
    </Page>
  );
}

/** The account's switch: off rejects every key of every newsletter at once. */
function Access({ on }: { on: boolean }) {
  const { isOwner, account } = useViewer();
  const utils = api.useUtils();
  const [asking, setAsking] = useState(false);
  const change = api.account.apiAccess.useMutation({
    onSuccess: (_, input) => {
      setAsking(false);
      notify(input.on ? "The API answers again." : "The API is off: every key is rejected.");
      void utils.keys.invalidate();
    },
  });
  return (
    <div className={styles.access} data-off={on ? undefined : true}>
      <Switch
        label={on ? "API access is on" : "API access is off"}
        description={
          on
            ? `Keys of ${account.name} may call.`
            : `Every key of ${account.name} is rejected, on every newsletter.`
        }
        checked={on}
        disabled={!isOwner}
        onChange={() => (on ? setAsking(true) : change.mutate({ on: true }))}
      />
      {asking && (
        <Confirm
          title="Switch the API off?"
          action="Switch the API off"
          danger
          busy={change.isPending}
          error={change.error}
          onConfirm={() => change.mutate({ on: false })}
          onClose={() => setAsking(false)}
        >
          <p>
            Every call with any key of {account.name} is rejected until it is on again. Nothing is deleted,
            and pages and mails go on.
          </p>
        </Confirm>
      )}
    </div>
  );
}

type RowProps = { apiKey: Key; chosen: boolean; onChoose(): void; onMade(secret: string): void };

function KeyRow({ apiKey: key, chosen, onChoose, onMade }: RowProps) {
  const { newsletterId, isOwner } = useViewer();
  const utils = api.useUtils();
  const [asking, setAsking] = useState(false);
  const revoke = api.keys.revoke.useMutation({
    onSuccess: () => {
      setAsking(false);
      notify(`${key.name} is revoked.`);
      void utils.keys.invalidate();
    },
  });
  const rotate = api.keys.rotate.useMutation({
    onSuccess: ({ secret }) => {
      onMade(secret);
      void utils.keys.invalidate();
    },
    onError: notifyError,
  });
  const turn = (overlapHours: number) => rotate.mutate({ newsletterId, keyId: key.id, overlapHours });
  return (
    <li data-chosen={chosen || undefined} data-ended={key.state === "live" ? undefined : true}>
      <button type="button" className={styles.key} onClick={onChoose} aria-pressed={chosen}>
        <span className={styles.keyName}>{key.name}</span>
        <Status status={key.state} />
        <span className={styles.keyFacts}>
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
          {key.state === "live" && key.expiresAt && (
            <>
              {" "}
              · expires <Time at={key.expiresAt} />
            </>
          )}
        </span>
      </button>
      {isOwner && key.state === "live" && (
        <Menu position="bottom-end" width={240}>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={`More for ${key.name}`}>
              <icons.more />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>A new key in its place</Menu.Label>
            <Menu.Item onClick={() => turn(24)}>Rotate; the old one lives 24 hours</Menu.Item>
            <Menu.Item onClick={() => turn(168)}>Rotate; the old one lives 7 days</Menu.Item>
            <Menu.Divider />
            <Menu.Item color="red" onClick={() => setAsking(true)}>
              Revoke …
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {asking && (
        <Confirm
          title={`Revoke ${key.name}?`}
          action="Revoke 1 key"
          danger
          busy={revoke.isPending}
          error={revoke.error}
          onConfirm={() => revoke.mutate({ newsletterId, keyId: key.id })}
          onClose={() => setAsking(false)}
        >
          <p>
            Whatever calls with it is rejected from this moment. This cannot be undone; a new key can take its
            place.
          </p>
        </Confirm>
      )}
    </li>
  );
}
