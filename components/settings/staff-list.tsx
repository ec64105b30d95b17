"use client";
import { Button, Menu, Switch } from "@mantine/core";
import Link from "next/link";
import { parseAsBoolean, useQueryState } from "nuqs";
import { useState } from "react";
import { hasRight, type Role, roles } from "@/server/contract/roles";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import { icons } from "../ui/icons";
import kit from "../ui/kit.module.css";
import { Loaded } from "../ui/list-page";
import { MoreMenu } from "../ui/more-menu";
import { notify, notifyError } from "../ui/notify";
import { counted } from "../ui/numbers";
import { shownAtOnce } from "../ui/shown-at-once";
import { Time } from "../ui/time";
import { InvitationRow } from "./invitation-row";
import { Invite } from "./invite";
import styles from "./settings.module.css";

type StaffMember = Outputs["account"]["staff"]["staff"][number];

export function StaffList() {
  const { isOwner } = useViewer();
  const query = api.account.staff.useQuery();
  // In the address, so that ⌘K leads to it.
  const [isInviting, setInviting] = useQueryState("invite", parseAsBoolean.withDefault(false));
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
              Invite a teammate
            </Button>
          )}
          {isOwner && <DemandSecondFactor staff={staff} />}
          {isInviting && isOwner && <Invite onClose={() => setInviting(null)} />}
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
          {!member.hasSecondFactor && " · no second factor"}
        </div>
      </div>
      <span className={styles.role}>{member.role}</span>
      {isOwner && !isOneself && <StaffMenu member={member} />}
    </li>
  );
}

/** Lets owners demand a second factor of everybody. */
function DemandSecondFactor({ staff }: { staff: StaffMember[] }) {
  const query = api.account.secondFactors.useQuery();
  const cached = api.useUtils().account.secondFactors;
  const demand = api.account.requireSecondFactor.useMutation(
    shownAtOnce(
      {
        cancel: () => cached.cancel(),
        get: () => cached.getData(),
        set: (data) => cached.setData(undefined, data),
      },
      (before, { required }: { required: boolean }) => ({ ...before, required }),
    ),
  );
  const without = staff.filter(({ hasSecondFactor }) => !hasSecondFactor).length;
  if (!query.data) return null;
  const { required } = query.data;
  return (
    <Switch
      mt="lg"
      label="Require two-factor authentication"
      description={
        without === 0
          ? "All members have set it up."
          : `${counted(without, "member")} ${without === 1 ? "has" : "have"} not set it up and ${required ? "must" : "will have to"} set it up before continuing.`
      }
      checked={required}
      disabled={demand.isPending}
      onChange={(event) => demand.mutate({ required: event.currentTarget.checked })}
    />
  );
}

const withArticle = (role: Role) => `${role === "viewer" ? "a" : "an"} ${role}`;

function StaffMenu({ member: { id, name, role: current, hasSecondFactor } }: { member: StaffMember }) {
  const [asking, setAsking] = useState<"remove" | Role | null>(null);
  const removeFactors = api.account.removeSecondFactors.useMutation({
    onSuccess: () => notify(`${name} now signs in with the password alone.`),
    onError: notifyError,
  });
  const setRole = api.account.setRole.useMutation({
    onSuccess: () => setAsking(null),
    onError: (error) => !asking && notifyError(error),
  });
  const remove = api.account.remove.useMutation({
    onSuccess: () => {
      setAsking(null);
      notify(`${name} can no longer sign in.`);
    },
  });
  const newRole = asking === "remove" ? null : asking;
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
            onChange={() =>
              hasRight(current, "manage") && role !== current ? setAsking(role) : setRole.mutate({ id, role })
            }
          >
            Make {role}
          </Menu.RadioItem>
        ))}
        <Menu.Divider />
        {hasSecondFactor && (
          <Menu.Item onClick={() => removeFactors.mutate({ id })}>Remove their second factors</Menu.Item>
        )}
        <Menu.Item color="red" onClick={() => setAsking("remove")}>
          Remove …
        </Menu.Item>
      </MoreMenu>
      {asking && (
        <Confirm
          title={newRole ? `Make ${name} ${withArticle(newRole)}?` : `Remove ${name}?`}
          action={newRole ? `Make 1 person ${withArticle(newRole)}` : "Remove 1 person"}
          danger
          busy={remove.isPending || setRole.isPending}
          error={newRole ? setRole.error : remove.error}
          onConfirm={() => (newRole ? setRole.mutate({ id, role: newRole }) : remove.mutate({ id }))}
          onClose={() => setAsking(null)}
        >
          <p>
            {newRole
              ? "They lose owner permissions immediately."
              : "They are signed out everywhere immediately. Their entries stay in the audit log."}
          </p>
          <Made id={id} />
        </Confirm>
      )}
    </>
  );
}

/** What becomes of the invitations and API keys that a staff member made. */
function Made({ id }: { id: string }) {
  const query = api.account.made.useQuery({ id });
  return (
    <Loaded query={query} rows={2}>
      {({ invitations, keys }) => (
        <>
          {invitations.length > 0 && (
            <div>
              <p>{`${counted(invitations.length, "open invitation")} of theirs ${invitations.length === 1 ? "is" : "are"} withdrawn:`}</p>
              <ul className={styles.made}>
                {invitations.map(({ id: invitationId, email, role }) => (
                  <li key={invitationId}>
                    {email} as {role}
                  </li>
                ))}
              </ul>
            </div>
          )}
          {keys.length > 0 && (
            <div>
              <p>{`${counted(keys.length, "API key")} they created still ${keys.length === 1 ? "works" : "work"}. Anyone with a copy can use it until you revoke it:`}</p>
              <ul className={styles.made}>
                {keys.map(({ id: keyId, name, prefix, newsletter }) => (
                  <li key={keyId}>
                    <Link href={`/n/${newsletter.id}/api`}>{name}</Link> ({prefix}…) of {newsletter.name}
                  </li>
                ))}
              </ul>
            </div>
          )}
        </>
      )}
    </Loaded>
  );
}
