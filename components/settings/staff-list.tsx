"use client";
import { Button, Switch, Text } from "@mantine/core";
import Link from "next/link";
import { parseAsBoolean, useQueryState } from "nuqs";
import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { hasRight, type Role, roles } from "@/server/staff/schema/roles";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import { Menu } from "../ui/floating";
import { icons } from "../ui/icons";
import kit from "../ui/kit.module.css";
import { Loaded } from "../ui/list-page";
import { MoreMenu } from "../ui/more-menu";
import { notify, notifyError, notifying } from "../ui/notify";
import { onDemand } from "../ui/on-demand";
import { Row } from "../ui/states";
import { Time } from "../ui/time";
import { InvitationRow } from "./invitation-row";
import styles from "./settings.module.css";

const Invite = onDemand(() => import("./invite"));

type StaffMember = Outputs["account"]["staff"]["staff"][number];

export function StaffList() {
  const t = useTranslations("account.staff");
  const { isOwner } = useViewer();
  const query = api.account.staff.useQuery();
  // The address stores this, so ⌘K can link to it.
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
              {t("invite")}
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
  const t = useTranslations("account.staff");
  const roleName = useTranslations("ui.roles");
  const { isOwner, staff } = useViewer();
  const isOneself = member.id === staff.id;
  const { name, lastSeenAt } = member;
  const quiet = (chunks: ReactNode) => <span className={kit.quiet}>{chunks}</span>;
  return (
    <Row
      title={isOneself ? t.rich("nameOfOneself", { name, quiet }) : name}
      note={
        <>
          {name === member.email ? "" : `${member.email} · `}
          {lastSeenAt ? t.rich("lastSeen", { time: () => <Time at={lastSeenAt} /> }) : t("neverSeen")}
          {!member.hasSecondFactor && ` · ${t("noSecondFactor")}`}
        </>
      }
    >
      <Text component="span" c="dimmed" tt="capitalize">
        {roleName(member.role)}
      </Text>
      {isOwner && !isOneself && <StaffMenu member={member} />}
    </Row>
  );
}

/** Lets owners require a second factor of all staff. */
function DemandSecondFactor({ staff }: { staff: StaffMember[] }) {
  const t = useTranslations("account.staff.secondFactor");
  const query = api.account.secondFactors.useQuery();
  const cached = api.useUtils().account.secondFactors;
  const demand = api.account.requireSecondFactor.useMutation({
    onSuccess: (_, { required }) => cached.setData(undefined, (before) => before && { ...before, required }),
    onError: notifyError,
  });
  const without = staff.filter(({ hasSecondFactor }) => !hasSecondFactor).length;
  if (!query.data) return null;
  const { required } = query.data;
  return (
    <Switch
      mt="lg"
      label={t("label")}
      description={without === 0 ? t("allSetUp") : t(required ? "mustSetUp" : "willHaveTo", { n: without })}
      checked={required}
      disabled={demand.isPending}
      onChange={(event) => demand.mutate({ required: event.currentTarget.checked })}
    />
  );
}

function StaffMenu({ member: { id, name, role: current, hasSecondFactor } }: { member: StaffMember }) {
  const t = useTranslations("account.staff");
  const [asking, setAsking] = useState<"remove" | Role | null>(null);
  const removeFactors = api.account.removeSecondFactors.useMutation(
    notifying(t("menu.factorsRemoved", { name })),
  );
  const setRole = api.account.setRole.useMutation();
  const remove = api.account.remove.useMutation();
  const newRole = asking === "remove" ? null : asking;
  const confirm = async () => {
    if (newRole) return setRole.mutateAsync({ id, role: newRole });
    await remove.mutateAsync({ id });
    notify(t("removal.done", { name }));
  };
  return (
    <>
      <MoreMenu label={name}>
        {roles.map((role) => (
          <Menu.RadioItem
            key={role}
            value={role}
            checked={current === role}
            closeMenuOnClick
            onChange={() =>
              hasRight(current, "manage") && role !== current
                ? setAsking(role)
                : setRole.mutateAsync({ id, role }).catch(notifyError)
            }
          >
            {t(`menu.make.${role}`)}
          </Menu.RadioItem>
        ))}
        <Menu.Divider />
        {hasSecondFactor && (
          <Menu.Item onClick={() => removeFactors.mutate({ id })}>{t("menu.removeFactors")}</Menu.Item>
        )}
        <Menu.Item color="red" onClick={() => setAsking("remove")}>
          {t("menu.remove")}
        </Menu.Item>
      </MoreMenu>
      {asking && (
        <Confirm
          title={newRole ? t(`newRole.title.${newRole}`, { name }) : t("removal.title", { name })}
          action={newRole ? t(`newRole.action.${newRole}`) : t("removal.action")}
          danger
          guarded
          onConfirm={confirm}
          onClose={() => setAsking(null)}
        >
          <p>{newRole ? t("newRole.consequence") : t("removal.consequence")}</p>
          <Made id={id} />
        </Confirm>
      )}
    </>
  );
}

/** Says what happens to a staff member's invitations and API keys. */
function Made({ id }: { id: string }) {
  const t = useTranslations("account.staff.made");
  const roleName = useTranslations("ui.roles");
  const { newsletterId } = useViewer();
  const query = api.account.made.useQuery({ id });
  return (
    <Loaded query={query} rows={2}>
      {({ invitations, keys }) => (
        <>
          <MadeList title={t("invitations", { n: invitations.length })}>
            {invitations.map(({ id: invitationId, email, role }) => (
              <li key={invitationId}>{t("invitation", { email, role: roleName(role as Role) })}</li>
            ))}
          </MadeList>
          <MadeList title={t("keys", { n: keys.length })}>
            {keys.map(({ id: keyId, name, prefix, newsletter }) => (
              <li key={keyId}>
                {t.rich("key", {
                  name,
                  prefix,
                  newsletter: newsletter?.name ?? t("allNewsletters"),
                  link: (chunks) => <Link href={`/n/${newsletter?.id ?? newsletterId}/api`}>{chunks}</Link>,
                })}
              </li>
            ))}
          </MadeList>
        </>
      )}
    </Loaded>
  );
}

function MadeList({ title, children }: { title: string; children: ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <div>
      <p>{title}</p>
      <ul className={styles.made}>{children}</ul>
    </div>
  );
}
