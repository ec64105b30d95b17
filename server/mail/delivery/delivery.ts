import { isDeepStrictEqual } from "node:util";
import type { Db } from "../../platform/db/client";
import type { Jobs } from "../../platform/jobs/jobs";
import { wakeDelivery } from "../outbox";
import { isUnfinished } from "../queries/mail-batches";
import { findSendPause, reserveSend } from "../queries/send-pace";
import { type Batching, type BegunBatch, batchDueMails, type Links } from "./batching";
import { type PacedProvider, paceProvider } from "./paced-provider";
import {
  type MailTransport,
  type Provider,
  type ProviderLimits,
  providerLimits,
  type ReadMailService,
  unreadableKey,
} from "./provider";
import { openResend } from "./resend";
import { finish, type MailLog, releaseBatch, resumeBatch, type Sending } from "./sending";
import { openSmtp } from "./smtp";

export type DeliveryState = {
  running: boolean;
  /**
   * Milliseconds until sending resumes, while the mail service is unavailable or asked to wait; 0 when mails are sent.
   */
  pausedMs: number;
  /** The last problem that no success has followed, in words for an operator. */
  issue: { at: string; message: string } | null;
};

export type Delivery = ReturnType<typeof openDelivery>;

export type Tuning = ProviderLimits & { backoffMs: number };

const OVERDUE_SECONDS = 300;
const BACKOFF_MS = 1_000;

type Options = {
  db: Db;
  jobs: Jobs;
  mailService: ReadMailService;
  links: Links;
  log: MailLog;
  /** Applies reports to mails that are known now: to these mails, or to all when null. */
  applyReports(providerIds: string[] | null): Promise<unknown>;
  tuning?: Partial<Tuning> | undefined;
};

/** Replaces the mail service for older batches when none is configured, or when its key can't be decrypted. */
const nobody: Provider = {
  async deliver() {
    const message =
      "No email provider is set, or AUTH_SECRET does not decrypt its key. Set a provider under Settings, Sending, or with RESEND_API_KEY or SMTP_URL.";
    return { outcome: { kind: "blocked", code: "missing_api_key", message } };
  },
};

function connect(transport: MailTransport | null, timeoutMs: number): Provider {
  if (!transport || (transport.kind === "resend" && transport.apiKey === unreadableKey)) return nobody;
  return transport.kind === "smtp"
    ? openSmtp({ ...transport, timeoutMs })
    : openResend({ ...transport, timeoutMs });
}

/** Delivers the mails of the outbox. Any number of processes share this work. No mail is lost when a process dies. */
export function openDelivery(options: Options) {
  const { db, jobs, log, links, applyReports } = options;
  const connected = openConnections(options);

  async function attempt({ provider, sending }: Connection, batch: BegunBatch): Promise<void> {
    if (!(await provider.takeTurn())) return releaseBatch(sending, batch, provider.waitMs());
    const outcome = await provider.send(batch);
    const waitMs = await finish(sending, batch, outcome);
    if (waitMs !== null) jobs.wakeIn("mail-send", waitMs);
    if (outcome.kind !== "accepted") return;
    // A report may arrive before the ids are written. The later of the two commits sees the other.
    const ids = outcome.ids.filter((id) => id !== null);
    await applyReports(ids).catch((err) =>
      log.warn({ err }, "mail: early delivery reports are applied within the hour"),
    );
  }

  return {
    handlers: {
      async "mail-batch"() {
        if (await findSendPause(db)) return;
        const { connection, from } = await connected.now();
        const { provider, sending, transport } = connection;
        // The wait comes before batching: mails that can't be sent yet stay in the outbox and later share fewer
        // requests.
        const waitMs = transport ? await provider.waitForTurn() : 0;
        if (waitMs > 0) {
          await jobs.add(db, "mail-batch", [{ data: null, at: waitMs / 1000 }]);
          return jobs.wakeIn("mail-batch", waitMs);
        }
        const batching: Batching = { ...sending, links, mailFrom: from, sends: transport !== null };
        const batch = await db.$transaction((tx) => batchDueMails(batching, tx));
        if (batch) await attempt(connection, batch);
      },
      async "mail-send"({ batchId }: { batchId: string }) {
        if (await findSendPause(db)) return;
        // Most jobs belong to leases that were not needed. They must not wait for the rate limit.
        if (!(await isUnfinished(db, batchId))) return;
        const { connection } = await connected.now();
        const waitMs = await connection.provider.waitForTurn();
        if (waitMs > 0) return jobs.add(db, "mail-send", [{ data: { batchId }, at: waitMs / 1000 }]);
        const batch = await db.$transaction((tx) => resumeBatch(connection.sending, tx, batchId));
        if (batch) await attempt(connection, batch);
      },
    },
    /** Finds batches and mails with a lost job, and reports that arrived before their mail was known. */
    async recover(): Promise<void> {
      await wakeDelivery(db, jobs, OVERDUE_SECONDS);
      await applyReports(null);
    },
    state(): DeliveryState {
      const provider = connected.last()?.provider;
      return {
        running: !jobs.closing.aborted,
        pausedMs: Math.round(provider?.waitMs() ?? 0),
        issue: jobs.issue() ?? provider?.issue() ?? null,
      };
    },
  };
}

type Connection = {
  transport: MailTransport | null;
  provider: PacedProvider;
  sending: Sending & Tuning;
};

/**
 * Keeps the connection until another mail service is configured. Pauses of the old service don't apply to the new one.
 */
function openConnections({ db, jobs, log, mailService, tuning: own }: Options) {
  let last: Connection | undefined;

  function open(transport: MailTransport | null): Connection {
    const tuning: Tuning = { backoffMs: BACKOFF_MS, ...providerLimits[transport?.kind ?? "resend"], ...own };
    const provider = paceProvider({
      provider: connect(transport, tuning.timeoutMs),
      reserve: (gapMs) => reserveSend(db, gapMs),
      closing: jobs.closing,
      ...tuning,
    });
    return { transport, provider, sending: { db, jobs, log, ...tuning } };
  }

  return {
    last: () => last,
    /** Read each time, so that a service set in another process applies from the next batch on. */
    async now(): Promise<{ connection: Connection; from: string }> {
      const { transport, from } = await mailService();
      if (!last || !isDeepStrictEqual(last.transport, transport)) last = open(transport);
      return { connection: last, from };
    },
  };
}
