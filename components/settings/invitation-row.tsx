import { Button, Stack } from "@mantine/core";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { deliveryStatusOf } from "../mail/delivery-status";
import { MailFrame } from "../mail/mail-frame";
import { useViewer } from "../shell/viewer";
import { fromServer } from "../texts/server-sentences";
import { api, type Outputs } from "../trpc";
import { Code } from "../ui/copy";
import { Dialog } from "../ui/dialog";
import { Menu } from "../ui/floating";
import kit from "../ui/kit.module.css";
import { Loaded } from "../ui/list-page";
import { MoreMenu } from "../ui/more-menu";
import { notifying } from "../ui/notify";
import { Row } from "../ui/states";
import { Time } from "../ui/time";
import styles from "./settings.module.css";

type Invitation = Outputs["account"]["staff"]["invitations"][number];

const failures = ["failed", "uncertain", "bounced", "complained"] as const;

/** An invited person who has not joined yet. */
export function InvitationRow({ invitation }: { invitation: Invitation }) {
  const t = useTranslations("account.invitation");
  const roleName = useTranslations("ui.roles");
  const { isOwner } = useViewer();
  const { email, expired, expiresAt, invitedBy, mail } = invitation;
  const role = roleName(invitation.role);
  return (
    <Row
      title={email}
      note={
        <>
          {invitedBy ? t("invitedBy", { role, name: invitedBy }) : t("invited", { role })}
          {" · "}
          {expired ? t("expired") : t.rich("expires", { time: () => <Time at={expiresAt} /> })}
        </>
      }
      below={mail && <MailStatus mail={mail} />}
    >
      {isOwner && <InvitationActions invitation={invitation} />}
    </Row>
  );
}

function MailStatus({ mail }: { mail: NonNullable<Invitation["mail"]> }) {
  const t = useTranslations("account.invitation");
  const status = deliveryStatusOf(mail);
  const failure = failures.find((one) => one === status);
  const time = () => <Time at={mail.at} />;
  return (
    <div className={failure ? kit.problem : kit.quiet}>
      {failure && mail.reason
        ? t.rich(`because.${failure}`, { time, reason: fromServer(mail.reason) })
        : t.rich(`mail.${status}`, { time })}
    </div>
  );
}

function InvitationActions({ invitation }: { invitation: Invitation }) {
  const t = useTranslations("account.invitation");
  const { id, email } = invitation;
  const [isShown, setShown] = useState(false);
  const sendAgain = api.account.inviteAgain.useMutation(notifying(t("queuedAgain", { email })));
  const withdraw = api.account.withdraw.useMutation(notifying(t("withdrawn")));
  return (
    <>
      <Button variant="default" loading={sendAgain.isPending} onClick={() => sendAgain.mutate({ id })}>
        {t("sendAgain")}
      </Button>
      <MoreMenu label={email}>
        <Menu.Item onClick={() => setShown(true)}>{t("show")}</Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" onClick={() => withdraw.mutate({ id })}>
          {t("withdraw")}
        </Menu.Item>
      </MoreMenu>
      {isShown && <InvitationMail invitation={invitation} onClose={() => setShown(false)} />}
    </>
  );
}

/** An invitation's email, and its link for sharing. */
function InvitationMail({ invitation, onClose }: { invitation: Invitation; onClose(): void }) {
  const t = useTranslations("account.invitation");
  const { id, expired } = invitation;
  const query = api.account.invitation.useQuery({ id });
  return (
    <Dialog onClose={onClose} size={560} title={query.data?.mail?.subject ?? t("title")}>
      <Loaded query={query} rows={6}>
        {({ url, mail }) => (
          <Stack>
            {!expired && (
              <>
                <p>{t("anyoneCanJoin")}</p>
                <Code label={t("link")}>{url}</Code>
              </>
            )}
            {mail?.html ? <MailFrame html={mail.html} className={styles.mail} /> : <p>{t("noMail")}</p>}
          </Stack>
        )}
      </Loaded>
    </Dialog>
  );
}
