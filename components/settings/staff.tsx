"use client";
import { ActionIcon, Button, Menu, Modal, NativeSelect, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { api, messageFor, type Outputs, refusalOf } from "../api";
import { icons } from "../icons";
import { Ask } from "../parts/ask";
import { Code } from "../parts/copy";
import { say, sayWhyNot } from "../parts/say";
import { Failed, Loading } from "../parts/states";
import { Time } from "../parts/time";
import { useViewer } from "../shell/viewer";
import styles from "./settings.module.css";

type Member = Outputs["account"]["staff"]["staff"][number];
const roles = ["owner", "editor", "viewer"] as const;

export function Staff() {
  const { isOwner } = useViewer();
  const utils = api.useUtils();
  const list = api.account.staff.useQuery();
  const [inviting, setInviting] = useState(false);
  const withdraw = api.account.withdraw.useMutation({
    onSuccess: () => {
      say("The invitation is withdrawn; its link opens nothing.");
      void utils.account.invalidate();
    },
    onError: sayWhyNot,
  });
  if (list.isPending) return <Loading rows={3} />;
  if (list.error) return <Failed error={list.error} retry={() => list.refetch()} />;
  return (
    <div>
      <ul className={styles.rows}>
        {list.data.staff.map((member) => (
          <MemberRow key={member.id} member={member} />
        ))}
        {list.data.invitations.map((invitation) => (
          <li key={invitation.id}>
            <span className={styles.main}>
              <b>{invitation.email}</b>
              <span className={styles.quiet}>
                invited as {invitation.role} · the link expires <Time at={invitation.expiresAt} />
              </span>
            </span>
            {isOwner && (
              <Button variant="default" onClick={() => withdraw.mutate({ id: invitation.id })}>
                Withdraw
              </Button>
            )}
          </li>
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
  const setRole = api.account.setRole.useMutation({ onSuccess: done, onError: sayWhyNot });
  const remove = api.account.remove.useMutation({
    onSuccess: () => {
      setAsking(false);
      say(`${member.name} can't sign in any more.`);
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
        <Ask
          title={`Remove ${member.name}?`}
          act="Remove 1 person"
          danger
          busy={remove.isPending}
          error={remove.error}
          onAct={() => remove.mutate({ id: member.id })}
          onClose={() => setAsking(false)}
        >
          <p>
            They are signed out everywhere at once. Keys they made go on working; what they did stays in the
            log.
          </p>
        </Ask>
      )}
    </li>
  );
}

function Invite({ onClose }: { onClose(): void }) {
  const utils = api.useUtils();
  const invite = api.account.invite.useMutation({ onSuccess: () => void utils.account.invalidate() });
  const refusal = invite.error ? refusalOf(invite.error) : null;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    invite.mutate({
      invitation: { email: String(data.get("email")), role: String(data.get("role")) as "editor" },
    });
  };
  if (invite.data) {
    return (
      <Modal opened onClose={onClose} title="Send them this link">
        <div className={styles.form}>
          <p>
            It opens once, for a week, and is shown only now. Whoever opens it chooses a name and a password.
          </p>
          <Code label="The invitation's link">{invite.data.url}</Code>
        </div>
      </Modal>
    );
  }
  return (
    <Modal opened onClose={onClose} title="Invite somebody">
      <form className={styles.form} onSubmit={submit} noValidate>
        <TextInput
          name="email"
          type="email"
          label="Email"
          error={messageFor(refusal, "email")}
          data-autofocus
        />
        <NativeSelect
          name="role"
          label="Role"
          defaultValue="editor"
          data={[
            { value: "editor", label: "Editor: people, imports, mails" },
            { value: "viewer", label: "Viewer: looks" },
            { value: "owner", label: "Owner: everything" },
          ]}
        />
        {refusal && Object.keys(refusal.errors).length === 0 && (
          <p className={styles.wrong} role="alert">
            {refusal.message}
          </p>
        )}
        <div className={styles.acts}>
          <Button type="submit" loading={invite.isPending}>
            Make the link
          </Button>
        </div>
      </form>
    </Modal>
  );
}
