import { record } from "../accounts/audit";
import { type ActorContext, withTransaction } from "../accounts/context";
import { findOnlyAccount } from "../accounts/shared-queries";
import { AppError, invalidField, parse } from "../kernel/errors";
import { reseal, type Secrets, seal, unseal } from "../kernel/secrets";
import type { Db, Tx } from "../platform/db/client";
import { listSenders } from "../platform/db/database-facts";
import {
  type MailService,
  type MailTransport,
  type ReadMailService,
  unreadableKey,
} from "./delivery/provider";
import { readResendDomains, type SenderDomain, senderDomains } from "./delivery/resend-domains";
import {
  deleteMailService,
  findMailService,
  renewMailSecrets,
  type StoredMailService,
  saveMailService,
} from "./queries/mail-service";
import { NewMailService } from "./schema/mail-service";

const sealedFor = "mail service";
const sealedForReports = "mail service's webhook";

type Sources = {
  db: Db;
  authSecrets: Secrets;
  /** The environment's settings, which take precedence; see config.ts. */
  environmentMail: MailService & { baseUrl: string | undefined; webhookSecrets: Secrets | null };
};

type OwnService = MailService & { transport: MailTransport & { kind: "resend" } };

function opened(
  { authSecrets, environmentMail }: Omit<Sources, "db">,
  stored: StoredMailService,
): OwnService {
  const apiKey = unseal(authSecrets, sealedFor, stored.apiKey)?.text ?? unreadableKey;
  const { baseUrl } = environmentMail;
  return { transport: { kind: "resend", apiKey, baseUrl }, from: stored.sender };
}

async function findOwn(sources: Omit<Sources, "db">, db: Db | Tx): Promise<OwnService | null> {
  const stored = await findMailService(db);
  return stored && opened(sources, stored);
}

/** Reads the mail service: the environment's, or else the one that an owner set in the dashboard. */
export const openMailService =
  (sources: Sources): ReadMailService =>
  async () => {
    const { environmentMail, db } = sources;
    const own = environmentMail.transport ? null : await findOwn(sources, db);
    return own ?? environmentMail;
  };

type ReadWebhookSecrets = () => Promise<Secrets | null>;

/** Reads the signing secrets of Resend's webhooks: the environment's, or the owner's; null without any. */
export const openWebhookSecrets =
  ({ environmentMail, db, authSecrets }: Sources): ReadWebhookSecrets =>
  async () => {
    if (environmentMail.webhookSecrets) return environmentMail.webhookSecrets;
    const sealed = (await findMailService(db))?.webhookSecret;
    const secret = sealed && unseal(authSecrets, sealedForReports, sealed);
    return secret ? [secret.text] : null;
  };

/** Re-encrypts secrets that an older AUTH_SECRET encrypted, so that the older one can be removed. */
export async function reencryptMailSecrets({ db, authSecrets }: Sources): Promise<void> {
  const stored = authSecrets.length > 1 ? await findMailService(db) : null;
  if (!stored) return;
  const { apiKey, webhookSecret } = stored;
  await renewMailSecrets(db, stored, {
    apiKey: reseal(authSecrets, sealedFor, apiKey),
    webhookSecret: webhookSecret && reseal(authSecrets, sealedForReports, webhookSecret),
  });
}

export type MailServiceView = {
  /** Null: no mail service is configured, so mails are stored and not sent. */
  setBy: "environment" | "dashboard" | null;
  kind: MailTransport["kind"] | null;
  /** The sender for newsletters without their own; null: none is set. */
  sender: string | null;
  /** The first characters of the key; null where AUTH_SECRET can't decrypt it, and where the environment sets it. */
  keyStart: string | null;
  /** Whether an owner may set the mail service: the environment does not set it, and no other account depends on it. */
  isOpen: boolean;
  /** The source of the secret for Resend's webhook, which reports deliveries; null: no secret is set. */
  reportsSetBy: "environment" | "dashboard" | null;
};

/** The mail service's settings, without the key. */
export async function getMailService(
  sources: Sources,
  { accountId }: { accountId: string },
): Promise<MailServiceView> {
  const { db, environmentMail } = sources;
  const { transport, from, webhookSecrets } = environmentMail;
  const secrets = await openWebhookSecrets(sources)();
  const reportsSetBy = secrets && (webhookSecrets ? "environment" : "dashboard");
  const byEnvironment = { setBy: "environment", sender: from, keyStart: null, isOpen: false } as const;
  if (transport) return { ...byEnvironment, kind: transport.kind, reportsSetBy };
  const [own, only] = await Promise.all([findOwn(sources, db), findOnlyAccount(db)]);
  const isOpen = only?.id === accountId;
  if (!own) return { setBy: null, kind: null, sender: null, keyStart: null, isOpen, reportsSetBy };
  const { apiKey } = own.transport;
  const keyStart = apiKey === unreadableKey ? null : apiKey.slice(0, 6);
  return { setBy: "dashboard", kind: "resend", sender: own.from, keyStart, isOpen, reportsSetBy };
}

/** The state at Resend of the domains that mails are sent from; `problem` where Resend does not report it. */
export type SendingDomainsReport = { domains: SenderDomain[]; problem: string | null };

const wordsOf = {
  restricted: "This key can only send, so the state of its domains is not known.",
  refused: "Resend no longer accepts the key. Emails wait until you set a new one.",
  away: "Resend does not answer. Emails are queued until it does.",
};

/** Asks Resend about the domains. Makes no request for a mail server, or without a mail service. */
export async function checkSendingDomains(
  ctx: { db: Db; mailService: ReadMailService },
  { accountId }: { accountId: string },
): Promise<SendingDomainsReport> {
  const { transport, from } = await ctx.mailService();
  const nothing = { domains: [], problem: null };
  if (transport?.kind !== "resend" || transport.apiKey === unreadableKey) return nothing;
  // The senders of other accounts must not be visible to this account.
  if ((await findOnlyAccount(ctx.db))?.id !== accountId) return nothing;
  const said = await readResendDomains(transport);
  if ("problem" in said) return { domains: [], problem: wordsOf[said.reason] };
  return { domains: senderDomains(said, [from, ...(await listSenders(ctx.db))]), problem: null };
}

const keyError = (message: string) => invalidField("apiKey", message);

async function checkOpen({ db, environmentMail }: Sources, accountId: string): Promise<void> {
  if (environmentMail.transport)
    throw new AppError("forbidden", "The email provider is set in the environment. Nothing was changed.");
  if ((await findOnlyAccount(db))?.id !== accountId)
    throw new AppError(
      "forbidden",
      "Several accounts share this installation, so its operator sets the email provider. Nothing was changed.",
    );
}

/**
 * Sets Resend's key and the sender, after Resend has accepted the key. Without a key the stored one stays. After an
 * error the settings are unchanged.
 * @throws AppError forbidden where the environment sets them or several accounts exist; validation_error by field, also
 * for a key that Resend rejects; service_unavailable when Resend does not answer
 */
export async function setMailService(
  ctx: ActorContext & Sources,
  { accountId, service }: { accountId: string; service: NewMailService },
): Promise<void> {
  const { apiKey: given, sender, webhookSecret } = parse(NewMailService, service);
  await checkOpen(ctx, accountId);
  const apiKey = given ?? (await findOwn(ctx, ctx.db))?.transport.apiKey ?? unreadableKey;
  if (apiKey === unreadableKey) throw keyError("Paste a Resend API key. It starts with re_.");
  const said = await readResendDomains({ apiKey, baseUrl: ctx.environmentMail.baseUrl });
  if ("problem" in said && said.reason === "refused")
    throw keyError("Resend rejected this key. Copy it again or create a new one. Nothing was changed.");
  if ("problem" in said && said.reason === "away")
    throw new AppError(
      "service_unavailable",
      "Resend did not answer, so the key was not tested. Nothing was changed. Try again in a minute.",
    );
  const stored = {
    apiKey: seal(ctx.authSecrets, sealedFor, apiKey),
    sender,
    ...(webhookSecret && { webhookSecret: seal(ctx.authSecrets, sealedForReports, webhookSecret) }),
  };
  await withTransaction(ctx, async (tx) => {
    await saveMailService(tx, stored);
    await record(ctx, tx, {
      accountId,
      action: "mail_service.set",
      subjectId: accountId,
      detail: { sender, newKey: given !== null, newWebhookSecret: webhookSecret !== null },
    });
  });
}

/** Removes the mail service: from now on mails are stored and not sent. @throws AppError forbidden, as above */
export async function removeMailService(
  ctx: ActorContext & Sources,
  { accountId }: { accountId: string },
): Promise<void> {
  await checkOpen(ctx, accountId);
  await withTransaction(ctx, async (tx) => {
    if (await deleteMailService(tx))
      await record(ctx, tx, { accountId, action: "mail_service.removed", subjectId: accountId });
  });
}
