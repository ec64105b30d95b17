"use client";
import { Button, Menu, Stack } from "@mantine/core";
import { useState } from "react";
import { deliveryStatusOf } from "../mails/delivery-status";
import { MailFrame } from "../mails/mail-frame";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { Code } from "../ui/copy";
import { Dialog } from "../ui/dialog";
import kit from "../ui/kit.module.css";
import { Loaded } from "../ui/list-page";
import { MoreMenu } from "../ui/more-menu";
import { notify, notifyError } from "../ui/notify";
import { statusLooks } from "../ui/status";
import { Time } from "../ui/time";
import styles from "./settings.module.css";

type Invitation = Outputs["account"]["staff"]["invitations"][number];

/** Somebody who is invited and has not joined yet. */
export function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { isOwner } = useViewer();
  const { email, role, expired, expiresAt, invitedBy, mail } = invitation;
  const status = mail && deliveryStatusOf(mail);
  const look = status && statusLooks[status];
  const hasFailed = look?.tone === "failed";
  return (
    <li>
      <div className={kit.entry}>
        <b>{email}</b>
        <div className={kit.quiet}>
          invited as {role}
          {invitedBy && ` by ${invitedBy}`}
          {" · "}
          {expired ? "the link has expired" : "the link expires"} {!expired && <Time at={expiresAt} />}
        </div>
        {mail && look && (
          <div className={hasFailed ? kit.problem : kit.quiet}>
            {status === "logged" ? (
              "no email was sent: share its link"
            ) : (
              <>
                email {look.word.toLowerCase()} <Time at={mail.at} />
              </>
            )}
            {hasFailed && mail.reason && `: ${mail.reason}`}
          </div>
        )}
      </div>
      {isOwner && <InvitationActions invitation={invitation} />}
    </li>
  );
}

function InvitationActions({ invitation }: { invitation: Invitation }) {
  const { id, email } = invitation;
  const [isShown, setShown] = useState(false);
  const afterwards = (message: string) => ({
    onSuccess: () => notify(message),
    onError: notifyError,
  });
  const sendAgain = api.account.inviteAgain.useMutation(afterwards(`Invitation to ${email} queued again.`));
  const withdraw = api.account.withdraw.useMutation(
    afterwards("Invitation withdrawn. Its link no longer works."),
  );
  return (
    <>
      <Button variant="default" loading={sendAgain.isPending} onClick={() => sendAgain.mutate({ id })}>
        Send again
      </Button>
      <MoreMenu label={email}>
        <Menu.Item onClick={() => setShown(true)}>Show email and link</Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" onClick={() => withdraw.mutate({ id })}>
          Withdraw
        </Menu.Item>
      </MoreMenu>
      {isShown && <InvitationMail invitation={invitation} onClose={() => setShown(false)} />}
    </>
  );
}

/** An invitation's mail, and its link to be handed over. */
function InvitationMail({ invitation, onClose }: { invitation: Invitation; onClose(): void }) {
  const { id, expired } = invitation;
  const query = api.account.invitation.useQuery({ id });
  return (
    <Dialog onClose={onClose} size={560} title={query.data?.mail?.subject ?? "The invitation"}>
      <Loaded query={query} rows={6}>
        {({ url, mail }) => (
          <Stack>
            {!expired && (
              <>
                <p>Anyone who opens the link can join. Share it only with the person you invite.</p>
                <Code label="The invitation's link">{url}</Code>
              </>
            )}
            {mail?.html ? (
              <MailFrame html={mail.html} className={styles.mail} />
            ) : (
              <p>No email was sent: the invitation was created as a link.</p>
            )}
          </Stack>
        )}
      </Loaded>
    </Dialog>
  );
}
