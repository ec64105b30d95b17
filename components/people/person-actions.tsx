"use client";
import { ActionIcon, Button, Group, Menu } from "@mantine/core";
import { useState } from "react";
import { ForgetChoice } from "../bulk-actions/forget-choice";
import { useBulkAction } from "../bulk-actions/use-bulk-action";
import { useCopyLink } from "../mails/use-copy-link";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import { icons } from "../ui/icons";
import { notifyError } from "../ui/notify";
import { AskAgain } from "./ask-again";

type Props = Pick<Outputs["people"]["get"], "person" | "asked"> & {
  readAt: number;
  onEdit(): void;
  onClose(): void;
};

/** What can be done with one person; nothing for those who may only look. */
export function PersonActions({ person, asked, readAt, onEdit, onClose }: Props) {
  const { newsletterId, mayEdit, mayExport, sends } = useViewer();
  const copyLink = useCopyLink();
  const utils = api.useUtils();
  const [erasing, setErasing] = useState(false);
  const [forget, setForget] = useState(false);
  const { start, busy } = useBulkAction();
  if (!mayExport) return null;
  const { id, email, status } = person;
  const target = { ids: [id] };

  async function exportAll() {
    const everything = await utils.client.people.exportPerson.mutate({ newsletterId, id });
    const { saveFile } = await import("./export");
    saveFile(`${email}.json`, "application/json", `${JSON.stringify(everything, null, 2)}\n`);
  }
  async function erase() {
    if (!(await start(forget ? "forget" : "erase", target, `${email} is erased.`))) return;
    setErasing(false);
    onClose();
  }

  return (
    <Group gap="xs" mt="md">
      {mayEdit && status === "pending" && !person.suppression && <AskAgain person={person} readAt={readAt} />}
      {mayEdit && (
        <Button variant="default" onClick={onEdit}>
          Edit
        </Button>
      )}
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon variant="default" size={32} aria-label="More about this person">
            <icons.more />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {mayEdit && !sends && asked?.state === "logged" && (
            <Menu.Item onClick={() => copyLink(asked.id)}>Copy confirmation link</Menu.Item>
          )}
          <Menu.Item onClick={() => exportAll().catch(notifyError)}>Export everything about them</Menu.Item>
          {mayEdit && status !== "unsubscribed" && (
            <Menu.Item onClick={() => start("unsubscribe", target, `${email} is unsubscribed.`)}>
              Unsubscribe
            </Menu.Item>
          )}
          {mayEdit && (
            <Menu.Item color="red" onClick={() => setErasing(true)}>
              Erase …
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {erasing && (
        <Confirm
          title={`Erase ${email}?`}
          action="Erase 1 person"
          danger
          busy={busy}
          onConfirm={erase}
          onClose={() => setErasing(false)}
        >
          <p>
            The person, their mails and what happened to them are deleted for good. This cannot be undone.
          </p>
          <ForgetChoice
            forget={forget}
            onChange={setForget}
            left={person.unsubscribedAt !== null || person.suppression !== null}
          />
        </Confirm>
      )}
    </Group>
  );
}
