"use client";
import { ActionIcon, Button, Menu, Modal, NativeSelect, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { fateOf } from "../mails/fate";
import { MailFrame } from "../mails/mail-frame";
import { useViewer } from "../shell/viewer";
import { api, messageFor, type Outputs, rejectionOf } from "../trpc";
import { Code } from "../ui/copy";
import { icons } from "../ui/icons";
import { notify, notifyError } from "../ui/notify";
import { Failed, Loading } from "../ui/states";
import { Time } from "../ui/time";
import styles from "./settings.module.css";

type Invitation = Outputs["account"]["staff"]["invitations"][number];

/** How an invitation's last mail stands, in half a sentence. */
const standings: Record<string, string> = {
  waiting: "the mail is about to leave",
  deferred: "the mail is deferred",
  sending: "the mail is leaving",
  logged: "no mail left: hand over its link",
  sent: "mailed",
  delayed: "their mail server asks to come again later",
  delivered: "delivered",
  bounced: "the mail bounced",
  complained: "marked as spam",
  failed: "the mail failed",
  uncertain: "the mail may not have arrived",
  cancelled: "the mail was cancelled",
};
const BAD = new Set(["bounced", "complained", "failed", "uncertain"]);

/** Somebody who is invited and has not come yet. */
export function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { isOwner } = useViewer();
  const utils = api.useUtils();
  const [shown, setShown] = useState(false);
  const { id, email, role, expired, expiresAt, invitedBy, mail } = invitation;
  const done = (words: string) => ({
    onSuccess: () => {
      notify(words);
      void utils.account.invalidate();
    },
    onError: notifyError,
  });
  const again = api.account.inviteAgain.useMutation(done(`The invitation to ${email} goes out again.`));
  const withdraw = api.account.withdraw.useMutation(
    done("The invitation is withdrawn; its link opens nothing."),
  );
  const fate = mail ? fateOf(mail) : null;
  const isBad = fate !== null && BAD.has(fate);

  async function copyLink() {
    try {
      const { url } = await utils.account.invitation.fetch({ id });
      await navigator.clipboard.writeText(url);
      notify("The link is copied. Whoever opens it can join: hand it to them alone.");
    } catch (error) {
      notifyError(error);
    }
  }

  return (
    <li>
      <span className={styles.main}>
        <b>{email}</b>
        <span className={styles.quiet}>
          invited as {role}
          {invitedBy && ` by ${invitedBy}`}
          {" · "}
          {expired ? "the link has expired" : "the link expires"} {!expired && <Time at={expiresAt} />}
        </span>
        {mail && fate && (
          <span className={isBad ? styles.wrong : styles.quiet}>
            {standings[fate]} {fate !== "logged" && <Time at={mail.at} />}
            {isBad && mail.reason && `: ${mail.reason}`}
          </span>
        )}
      </span>
      {isOwner && (
        <>
          <Button variant="default" loading={again.isPending} onClick={() => again.mutate({ id })}>
            Send again
          </Button>
          <Menu position="bottom-end" width={200}>
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label={`More for ${email}`}>
                <icons.more />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {!expired && <Menu.Item onClick={copyLink}>Copy its link</Menu.Item>}
              <Menu.Item onClick={() => setShown(true)}>See the mail</Menu.Item>
              <Menu.Divider />
              <Menu.Item color="red" onClick={() => withdraw.mutate({ id })}>
                Withdraw
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </>
      )}
      {shown && <InvitationMail id={id} onClose={() => setShown(false)} />}
    </li>
  );
}

function InvitationMail({ id, onClose }: { id: string; onClose(): void }) {
  const found = api.account.invitation.useQuery({ id });
  const mail = found.data?.mail;
  return (
    <Modal opened onClose={onClose} size={560} title={mail?.subject ?? "The invitation"}>
      {found.isPending && <Loading rows={6} />}
      {found.error && <Failed error={found.error} retry={() => found.refetch()} />}
      {found.data && !mail && <p>There is no mail of it: it was made as a link.</p>}
      {mail?.html && <MailFrame html={mail.html} className={styles.mail} />}
    </Modal>
  );
}

/** Asks whom to invite as what; then says what became of it. */
export function Invite({ onClose }: { onClose(): void }) {
  const { sends } = useViewer();
  const utils = api.useUtils();
  const [to, setTo] = useState("");
  const invite = api.account.invite.useMutation({ onSuccess: () => void utils.account.invalidate() });
  const rejection = invite.error ? rejectionOf(invite.error) : null;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const email = String(data.get("email")).trim();
    setTo(email);
    invite.mutate({ invitation: { email, role: String(data.get("role")) as "editor" } });
  };
  if (invite.data) {
    return (
      <Modal opened onClose={onClose} title={sends ? "The invitation is on its way" : "Hand over this link"}>
        <div className={styles.form}>
          <p>
            {sends
              ? `A mail with this link goes to ${to}. Should it not arrive, hand the link over yourself.`
              : "Nothing leaves without a Resend key, so the mail is only logged. Its link works all the same."}{" "}
            It opens once, for a week; whoever opens it chooses a name and a password.
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
          error={messageFor(rejection, "email")}
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
        {rejection && Object.keys(rejection.errors).length === 0 && (
          <p className={styles.wrong} role="alert">
            {rejection.message}
          </p>
        )}
        <div className={styles.acts}>
          <Button type="submit" loading={invite.isPending}>
            {sends ? "Send 1 invitation" : "Make the link"}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
