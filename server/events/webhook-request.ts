import { type LookupAddress, lookup } from "node:dns";
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { isPublic, isWithin, type Network } from "../kernel/ip-address";
import { webhookAnswerSeconds } from "./schema/webhooks";

/** The part of an answer that is read, in bytes and in characters. */
const LONGEST_ANSWER = 1_000;
/** The part of a redirect's target that is shown, in characters. */
const LONGEST_LOCATION = 500;

/**
 * The result of an attempt. status: of the answer, null without one. says: the beginning of the answer, or the error.
 */
export type Outcome = {
  delivered: boolean;
  status: number | null;
  says: string;
  /** The wait that a 429 or 503 answer asks for. */
  retryAfterSeconds: number | null;
};

export function failedAttempt(says: string): Outcome {
  return { delivered: false, status: null, says, retryAfterSeconds: null };
}

class Forbidden extends Error {}

export type Guard = {
  /** Private networks that an operator allows. */
  allowed: Network[];
  /** Resolves a host name; the machine's own resolver unless a test replaces it. */
  resolve?: typeof lookup;
};

const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, "");

/**
 * Why an address may not be called, or null. Names the host as the URL has it: staff and keys must not learn the
 * private addresses of names.
 */
function refusalOf({ allowed }: Guard, url: URL, address: string): string | null {
  if (isWithin(allowed, address)) return null;
  if (!isPublic(address))
    return `${hostOf(url)} is not a public internet address. An operator can allow it with WEBHOOK_ALLOWED_NETWORKS.`;
  return url.protocol === "https:"
    ? null
    : "Use https. Without encryption, only addresses in WEBHOOK_ALLOWED_NETWORKS are allowed.";
}

/** Why an endpoint's address cannot be used, or null. Names are resolved at each attempt, not here. */
export function urlProblem(guard: Guard, text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return "Enter the full URL, starting with https://.";
  if (url.username || url.password)
    return "Leave out the user name and password: the signature proves the sender. A secret in the path works, too.";
  const host = hostOf(url);
  if (isIP(host)) return refusalOf(guard, url, host);
  if (url.protocol === "http:" && guard.allowed.length === 0) return "Enter a URL with https://.";
  return null;
}

/** Resolves a name, and rejects it when any of its addresses is forbidden. The connection uses a checked address. */
function guardedLookup(guard: Guard, url: URL): LookupFunction {
  return (hostname, options, done) => {
    (guard.resolve ?? lookup)(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const [first] = addresses ?? [];
      if (error || !first) return done(error ?? new Error("no address"), "", 0);
      const refusal = addresses.map(({ address }) => refusalOf(guard, url, address)).find(Boolean);
      if (refusal) return done(new Forbidden(refusal), "", 0);
      return options.all ? done(null, addresses as never) : done(null, first.address, first.family);
    });
  };
}

function problemOf(error: Error & { code?: string }, url: URL): string {
  if (error instanceof Forbidden) return error.message;
  if (error.name === "TimeoutError" || error.name === "AbortError")
    return `It did not answer within ${webhookAnswerSeconds} seconds.`;
  switch (error.code) {
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `The host name ${url.hostname} was not found.`;
    case "ECONNREFUSED":
      return "The connection was refused: no server listens at this address.";
    case "ECONNRESET":
    case "EPIPE":
      return "The connection was closed before a response arrived.";
    default:
      return /CERT|TLS|SSL/.test(error.code ?? "")
        ? `The TLS connection can't be trusted: ${error.message}.`
        : `The connection failed: ${error.message}.`;
  }
}

/** Reads the beginning of a body, and ignores the rest. */
async function beginningOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes > LONGEST_ANSWER) break;
  }
  // PostgreSQL can't store zero characters.
  return Buffer.concat(chunks).toString("utf8").replaceAll("\0", "").slice(0, LONGEST_ANSWER);
}

function outcomeOf(answer: IncomingMessage, text: string): Outcome {
  const { statusCode: status = 0, headers } = answer;
  const delivered = status >= 200 && status < 300;
  const wait = status === 429 || status === 503 ? Number(headers["retry-after"]) : Number.NaN;
  const isElsewhere = status >= 300 && status < 400;
  return {
    delivered,
    status,
    says: isElsewhere
      ? `It redirects to ${(headers.location ?? "another address").slice(0, LONGEST_LOCATION)}. Redirects are not followed. Set the final URL.`
      : text,
    retryAfterSeconds: Number.isFinite(wait) && wait > 0 ? wait : null,
  };
}

const kept = { keepAlive: true, timeout: 2 * webhookAnswerSeconds * 1000 };
/** Connections are reused between messages. Each was made to a checked address. */
const agents = { "http:": new HttpAgent(kept), "https:": new HttpsAgent(kept) };

function send(guard: Guard, url: URL, headers: Record<string, string>, body: string): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const isHttps = url.protocol === "https:";
    const sent = (isHttps ? httpsRequest : httpRequest)(url, {
      method: "POST",
      agent: agents[isHttps ? "https:" : "http:"],
      headers: { ...headers, "Content-Length": Buffer.byteLength(body) },
      lookup: guardedLookup(guard, url),
      signal: AbortSignal.timeout(webhookAnswerSeconds * 1000),
    });
    sent.on("response", (answer) => {
      beginningOf(answer).then((text) => resolve(outcomeOf(answer, text)), reject);
    });
    // Without this handler, an answer that changes the protocol (101) would never be noticed.
    sent.on("upgrade", (answer, socket) => {
      socket.destroy();
      resolve(outcomeOf(answer, ""));
    });
    sent.on("error", (error: Error & { code?: string }) => {
      // A reset on a reused connection says nothing about the endpoint: the server closed the idle connection.
      const isStale = sent.reusedSocket && error.code === "ECONNRESET";
      if (isStale) send(guard, url, headers, body).then(resolve, reject);
      else reject(error);
    });
    sent.end(body);
  });
}

/** Makes one delivery attempt. The address is checked each time. */
export async function postWebhook(
  guard: Guard,
  address: string,
  headers: Record<string, string>,
  body: string,
): Promise<Outcome> {
  const url = new URL(address);
  const refusal = urlProblem(guard, address);
  if (refusal) return failedAttempt(refusal);
  return send(guard, url, headers, body).catch((error) => failedAttempt(problemOf(error, url)));
}
