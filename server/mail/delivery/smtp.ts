import { Readable } from "node:stream";
import MailComposer from "nodemailer/lib/mail-composer";
import SMTPConnection, { type SMTPError } from "nodemailer/lib/smtp-connection";
import { LOOPBACK } from "../../kernel/ip-address";
import type { DeliveryOutcome, MailTransport, OutgoingMail, Provider } from "./provider";

type Options = Omit<Extract<MailTransport, { kind: "smtp" }>, "kind"> & { timeoutMs: number };

/** Commands about a mail. Errors of other commands concern our account or the server itself. */
const ABOUT_MAIL = ["MAIL FROM", "RCPT TO", "DATA"];
/** nodemailer's codes for an envelope that it never offers, such as an address that the server can't encode. */
const OUR_OWN = ["EENVELOPE", "EMESSAGE"];

/** A connection to the server of SMTP_URL. Remote servers require TLS, unless `mayBePlain`. */
function connectionTo({ url, mayBePlain, timeoutMs }: Options) {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === "smtps:";
  const isHere = LOOPBACK.test(hostname);
  const connection = new SMTPConnection({
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (secure ? 465 : 587),
    secure,
    // Local traffic can't be intercepted, and a local mail server often has a self-signed certificate.
    ignoreTLS: isHere && !secure,
    requireTLS: !isHere && !mayBePlain,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  const [user, pass] = [username, password].map(decodeURIComponent);
  return { connection, auth: user ? { user, pass } : null };
}

/** A step of an SMTP conversation, which also ends when the connection fails. */
function step<T>(
  connection: SMTPConnection,
  work: (done: (error?: SMTPError | null, value?: T) => void) => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const broken = (error: SMTPError) => reject(error);
    const closed = () => reject(new Error("The mail server closed the connection."));
    connection.once("error", broken).once("end", closed);
    work((error, value) => {
      connection.off("error", broken).off("end", closed);
      if (error) reject(error);
      else resolve(value as T);
    });
  });
}

/** Connects and signs in. @throws SMTPError */
async function open({ connection, auth }: ReturnType<typeof connectionTo>): Promise<void> {
  // Errors after a step has ended don't matter.
  connection.on("error", () => {});
  await step(connection, (done) => connection.connect(done));
  if (auth) await step(connection, (done) => connection.login(auth, done));
}

/** Checks that the server can be reached and accepts the login. @returns null, or the server's error */
export async function checkSmtp(options: Options): Promise<string | null> {
  const opened = connectionTo(options);
  try {
    await open(opened);
    opened.connection.quit();
    return null;
  } catch (error) {
    opened.connection.close();
    return (error as Error).message;
  }
}

/** The bytes of a mail, with a flag for whether reading has started. */
function noticing(bytes: Buffer): { body: Readable; wasRead: () => boolean } {
  let read = false;
  const body = new Readable({
    read() {
      read = true;
      this.push(bytes);
      this.push(null);
    },
  });
  return { body, wasRead: () => read };
}

/** An SMTP mail server: one mail per connection. */
export function openSmtp(options: Options): Provider {
  return {
    async deliver(key, payload) {
      const [mail] = JSON.parse(payload) as [OutgoingMail];
      const opened = connectionTo(options);
      const { connection } = opened;
      const timer = setTimeout(() => connection.close(), options.timeoutMs);
      let wasRead = () => false;
      try {
        const { envelope, bytes, messageId } = await compose(key, mail);
        const message = noticing(bytes);
        wasRead = message.wasRead;
        await open(opened);
        await step(connection, (done) => connection.send(envelope, message.body, done));
        connection.quit();
        return { outcome: { kind: "accepted", ids: [messageId], rejections: [] } };
      } catch (error) {
        connection.close();
        return { outcome: readError(error as SMTPError, wasRead()) };
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/**
 * The message of a mail (RFC 5322) and its envelope. Each attempt has the same Message-ID, which identifies the mail.
 */
async function compose(key: string, { from, to, reply_to, subject, html, text, headers }: OutgoingMail) {
  const domain = from.replace(/^.*@|>.*$/g, "");
  const messageId = `<${key}@${domain}>`;
  const node = new MailComposer({
    from,
    to,
    ...(reply_to && { replyTo: reply_to }),
    subject,
    html,
    text,
    headers,
    messageId,
  }).compile();
  return { envelope: node.getEnvelope(), bytes: await node.build(), messageId };
}

/** Classifies an error by what it proves. @param began whether sending of the message to the server had started */
function readError(
  { code = "smtp_error", command, responseCode, message }: SMTPError,
  began: boolean,
): DeliveryOutcome {
  const isAboutMail = command !== undefined && ABOUT_MAIL.includes(command);
  const said = { code: responseCode ? `smtp_${responseCode}` : code.toLowerCase(), message };
  if (began && responseCode === undefined) return { kind: "ambiguous", ...said };
  if (isAboutMail && responseCode !== undefined)
    return { kind: responseCode >= 500 ? "rejected" : "later", ...said };
  if (responseCode === undefined && OUR_OWN.includes(code)) return { kind: "rejected", ...said };
  return { kind: "blocked", ...said };
}
