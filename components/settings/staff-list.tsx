"use client";
import { Button, Menu } from "@mantine/core";
import { useState } from "react";
import { roles } from "@/server/contract/roles";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import { icons } from "../ui/icons";
import kit from "../ui/kit.module.css";
import { Loaded } from "../ui/list-page";
import { MoreMenu } from "../ui/more-menu";
import { notify, notifyError } from "../ui/notify";
import { Time } from "../ui/time";
import { InvitationRow } from "./invitation-row";
import { Invite } from "./invite";
import styles from "./settings.module.css";

type StaffMember = Outputs["account"]["staff"]["staff"][number];

export function StaffList() {
  const { isOwner } = useViewer();
  const query = api.account.staff.useQuery();
  const [isInviting, setInviting] = useState(false);
  return (
    <Loaded query={query} rows={3}>
      {({ staff, invitations }) => (
        <>
          <ul className={kit.rows}>
            {staff.map((member) => (
              <StaffRow key={member.id} member={member} />
            ))}
            {invitations.map((invitation) => (
              <InvitationRow key={invitation.id} invitation={invitation} />
            ))}
          </ul>
          {isOwner && (
            <Button variant="default" mt="md" leftSection={<icons.add />} onClick={() => setInviting(true)}>
              Invite somebody
            </Button>
          )}
          {isInviting && <Invite onClose={() => setInviting(false)} />}
        </>
      )}
    </Loaded>
  );
}

function StaffRow({ member }: { member: StaffMember }) {
  const { isOwner, staff } = useViewer();
  const isOneself = member.id === staff.id;
  return (
    <li>
      <div className={kit.entry}>
        <b>
          {member.name} {isOneself && <span className={kit.quiet}>(you)</span>}
        </b>
        <div className={kit.quiet}>
          {member.name === member.email ? "" : `${member.email} · `}
          {member.lastSeenAt ? (
            <>
              here <Time at={member.lastSeenAt} />
            </>
          ) : (
            "not signed in"
          )}
        </div>
      </div>
      <span className={styles.role}>{member.role}</span>
      {isOwner && !isOneself && <StaffMenu member={member} />}
    </li>
  );
}

function StaffMenu({ member: { id, name, role: current } }: { member: StaffMember }) {
  const [asking, setAsking] = useState(false);
  const setRole = api.account.setRole.useMutation({ onError: notifyError });
  const remove = api.account.remove.useMutation({
    onSuccess: () => {
      setAsking(false);
      notify(`${name} can't sign in any more.`);
    },
  });
  return (
    <>
      <MoreMenu label={name}>
        {roles.map((role) => (
          <Menu.RadioItem
            key={role}
            value={role}
            checked={current === role}
            checkIcon={<icons.check />}
            closeMenuOnClick
            onChange={() => setRole.mutate({ id, role })}
          >
            Make {role}
          </Menu.RadioItem>
        ))}
        <Menu.Divider />
        <Menu.Item color="red" onClick={() => setAsking(true)}>
          Remove …
        </Menu.Item>
      </MoreMenu>
      {asking && (
        <Confirm
          title={`Remove ${name}?`}
          action="Remove 1 person"
          danger
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ id })}
          onClose={() => setAsking(false)}
        >
          <p>
            They are signed out everywhere at once. Keys they made go on working; what they did stays in the
            log.
          </p>
        </Confirm>
      )}
    </>
  );
}
