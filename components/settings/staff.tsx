"use client";
import { ActionIcon, Button, Menu } from "@mantine/core";
import { useState } from "react";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import { icons } from "../ui/icons";
import { notify, notifyError } from "../ui/notify";
import { Failed, Loading } from "../ui/states";
import { Time } from "../ui/time";
import { InvitationRow, Invite } from "./invitations";
import styles from "./settings.module.css";

type Member = Outputs["account"]["staff"]["staff"][number];
const roles = ["owner", "editor", "viewer"] as const;

export function Staff() {
  const { isOwner } = useViewer();
  const list = api.account.staff.useQuery();
  const [inviting, setInviting] = useState(false);
  if (list.isPending) return <Loading rows={3} />;
  if (list.error) return <Failed error={list.error} retry={() => list.refetch()} />;
  return (
    <div>
      <ul className={styles.rows}>
        {list.data.staff.map((member) => (
          <MemberRow key={member.id} member={member} />
        ))}
        {list.data.invitations.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </ul>
      {isOwner && (
        <Button variant="default" mt="md" leftSection={<icons.add />} onClick={() => setInviting(true)}>
          Invite somebody
        </Button>
      )}
      {inviting && <Invite onClose={() => setInviting(false)} />}
    </div>
  );
}

function MemberRow({ member }: { member: Member }) {
  const { isOwner, staff } = useViewer();
  const utils = api.useUtils();
  const [asking, setAsking] = useState(false);
  const done = () => void utils.account.invalidate();
  const setRole = api.account.setRole.useMutation({ onSuccess: done, onError: notifyError });
  const remove = api.account.remove.useMutation({
    onSuccess: () => {
      setAsking(false);
      notify(`${member.name} can't sign in any more.`);
      done();
    },
  });
  const you = member.id === staff.id;
  return (
    <li>
      <span className={styles.main}>
        <b>
          {member.name} {you && <span className={styles.quiet}>(you)</span>}
        </b>
        <span className={styles.quiet}>
          {member.name === member.email ? "" : `${member.email} · `}
          {member.lastSeenAt ? (
            <>
              here <Time at={member.lastSeenAt} />
            </>
          ) : (
            "not signed in"
          )}
        </span>
      </span>
      <span className={styles.role}>{member.role}</span>
      {isOwner && !you && (
        <Menu position="bottom-end" width={200}>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={`More for ${member.name}`}>
              <icons.more />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {roles.map((role) => (
              <Menu.RadioItem
                key={role}
                value={role}
                checked={member.role === role}
                checkIcon={<icons.check />}
                closeMenuOnClick
                onChange={() => setRole.mutate({ id: member.id, role })}
              >
                Make {role}
              </Menu.RadioItem>
            ))}
            <Menu.Divider />
            <Menu.Item color="red" onClick={() => setAsking(true)}>
              Remove …
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {asking && (
        <Confirm
          title={`Remove ${member.name}?`}
          action="Remove 1 person"
          danger
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ id: member.id })}
          onClose={() => setAsking(false)}
        >
          <p>
            They are signed out everywhere at once. Keys they made go on working; what they did stays in the
            log.
          </p>
        </Confirm>
      )}
    </li>
  );
}
