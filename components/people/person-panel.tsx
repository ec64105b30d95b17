"use client";
import { ActionIcon, Button, Menu } from "@mantine/core";
import { useState } from "react";
import { useRun } from "../bulk-actions/use-run";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import { icons } from "../ui/icons";
import { notify, notifyError } from "../ui/notify";
import { SidePanel } from "../ui/side-panel";
import { Failed, Loading } from "../ui/states";
import { Status } from "../ui/status";
import { Time } from "../ui/time";
import styles from "./person.module.css";
import { PersonForm } from "./person-form";
import { Suppressed } from "./suppressed";
import { sourceOf } from "./table";
import { Timeline } from "./timeline";

type Props = { id: string; onClose(): void; onStep(by: 1 | -1): void };

/** One person beside the list: who they are, what can be done, what happened. */
export default function PersonPanel({ id, onClose, onStep }: Props) {
  const { newsletterId } = useViewer();
  const found = api.people.get.useQuery({ newsletterId, id });
  const [editing, setEditing] = useState(false);

  return (
    <SidePanel
      label="Person"
      state={found.data && <Status status={found.data.person.status} />}
      tools={
        <>
          <ActionIcon variant="subtle" color="gray" aria-label="Previous person" onClick={() => onStep(-1)}>
            <icons.up />
          </ActionIcon>
          <ActionIcon variant="subtle" color="gray" aria-label="Next person" onClick={() => onStep(1)}>
            <icons.down />
          </ActionIcon>
        </>
      }
      onClose={onClose}
    >
      {found.isPending && <Loading rows={6} />}
      {found.error && <Failed error={found.error} retry={() => found.refetch()} />}
      {found.data && (
        <>
          <div className={styles.who}>
            <h2>{found.data.person.name || found.data.person.email}</h2>
            {found.data.person.name && <p>{found.data.person.email}</p>}
          </div>
          {editing ? (
            <PersonForm person={found.data.person} onClose={() => setEditing(false)} />
          ) : (
            <>
              <Suppressed person={found.data.person} />
              <Tools person={found.data.person} onEdit={() => setEditing(true)} onClose={onClose} />
              <Facts person={found.data.person} />
            </>
          )}
          <h2 className={styles.heading}>What happened</h2>
          <Timeline activities={found.data.activities} />
        </>
      )}
    </SidePanel>
  );
}

type Person = Outputs["people"]["get"]["person"];

function Facts({ person }: { person: Person }) {
  return (
    <dl className={styles.facts}>
      <dt>Added</dt>
      <dd>
        <Time at={person.createdAt} />
      </dd>
      <dt>Source</dt>
      <dd>{sourceOf(person)}</dd>
      {person.confirmedAt && (
        <>
          <dt>Confirmed</dt>
          <dd>
            <Time at={person.confirmedAt} />
          </dd>
        </>
      )}
      {person.unsubscribedAt && (
        <>
          <dt>Unsubscribed</dt>
          <dd>
            <Time at={person.unsubscribedAt} />
          </dd>
        </>
      )}
      <dt>Id</dt>
      <dd>
        <code>{person.id}</code>
      </dd>
    </dl>
  );
}

function Tools({ person, onEdit, onClose }: { person: Person; onEdit(): void; onClose(): void }) {
  const { newsletterId, mayEdit } = useViewer();
  const utils = api.useUtils();
  const [erasing, setErasing] = useState(false);
  const refresh = () =>
    Promise.all([utils.people.invalidate(), utils.mails.invalidate(), utils.newsletters.invalidate()]);
  const askAgain = api.people.askAgain.useMutation({
    onSuccess: () => {
      notify(`A confirmation to ${person.email} is on its way.`);
      void refresh();
    },
    onError: notifyError,
  });
  const { run, busy } = useRun();
  if (!mayEdit) return null;

  async function copyLink() {
    try {
      const { url } = await utils.people.link.fetch({ newsletterId, id: person.id });
      await navigator.clipboard.writeText(url);
      notify(
        "The confirmation link is copied. It confirms for whoever opens it: hand it to this person alone.",
      );
    } catch (error) {
      notifyError(error);
    }
  }

  async function exportAll() {
    try {
      const everything = await utils.people.everything.fetch({ newsletterId, id: person.id });
      const { saveFile } = await import("./export");
      saveFile(`${person.email}.json`, "application/json", `${JSON.stringify(everything, null, 2)}\n`);
    } catch (error) {
      notifyError(error);
    }
  }

  const target = { ids: [person.id] };
  const unsubscribe = () => run("unsubscribe", target, `${person.email} is unsubscribed.`);
  const erase = async () => {
    if (!(await run("erase", target, `${person.email} is erased.`))) return;
    setErasing(false);
    onClose();
  };
  return (
    <div className={styles.tools}>
      {person.status === "pending" && !person.suppression && (
        <Button loading={askAgain.isPending} onClick={() => askAgain.mutate({ newsletterId, id: person.id })}>
          Send confirmation again
        </Button>
      )}
      <Button variant="default" onClick={onEdit}>
        Edit
      </Button>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon variant="default" size={32} aria-label="More about this person">
            <icons.more />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {person.status === "pending" && <Menu.Item onClick={copyLink}>Copy confirmation link</Menu.Item>}
          <Menu.Item onClick={exportAll}>Export everything about them</Menu.Item>
          {person.status !== "unsubscribed" && <Menu.Item onClick={unsubscribe}>Unsubscribe</Menu.Item>}
          <Menu.Item color="red" onClick={() => setErasing(true)}>
            Erase …
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {erasing && (
        <Confirm
          title={`Erase ${person.email}?`}
          action="Erase 1 person"
          danger
          busy={busy}
          onConfirm={erase}
          onClose={() => setErasing(false)}
        >
          <p>
            The person, their mails and what happened to them are deleted for good. This cannot be undone.
          </p>
          <p>
            Nothing will remember that they were here: a later list can add them again. To keep them off,
            unsubscribe them.
          </p>
        </Confirm>
      )}
    </div>
  );
}
