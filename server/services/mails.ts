import type { Ctx } from "./context";

type LinkMaker = (claims: {
  newsletterId: string;
  subscriberId: string;
  mailId: string;
  expiresAt: Date;
}) => string;

/** States in which a mail's link can still be of use to a person. */
const OPEN = new Set(["waiting", "deferred", "logged", "sending", "sent", "failed", "uncertain"]);

/** The newest mails of the installation, for an operator: where each stands, why, and its link. */
export async function listMails({ db }: Pick<Ctx, "db">, confirmationUrl: LinkMaker, limit: number) {
  const mails = await db.mail.findMany({
    orderBy: { id: "desc" },
    take: Math.min(Math.max(limit, 1), 1000),
    omit: { html: true, text: true },
  });
  return mails.map((mail) => ({
    id: mail.id,
    kind: mail.kind,
    to: mail.toEmail,
    state: mail.state,
    reason: mail.errorMessage,
    created_at: mail.createdAt,
    link:
      OPEN.has(mail.state) && mail.newsletterId && mail.subscriberId
        ? confirmationUrl({
            newsletterId: mail.newsletterId,
            subscriberId: mail.subscriberId,
            mailId: mail.id,
            expiresAt: mail.linkExpiresAt,
          })
        : null,
  }));
}
