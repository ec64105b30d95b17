/**
 * The domains that a key may send from, or why Resend does not list them.
 * - restricted: the key may only send; the first mail shows whether the key is valid
 * - refused: the key is invalid or revoked
 * - away: Resend did not answer, or had a problem of its own
 */
export type ResendDomains =
  | { isVerified: Map<string, boolean> }
  | { problem: string; reason: "restricted" | "refused" | "away" };

const TIMEOUT_MS = 10_000;

/** Asks once, for the first 100 domains. Never throws. The SDK would page and wait without a limit. */
export async function readResendDomains({
  apiKey,
  baseUrl = "https://api.resend.com",
}: {
  apiKey: string;
  baseUrl?: string | undefined;
}): Promise<ResendDomains> {
  try {
    const answer = await fetch(`${baseUrl}/domains?limit=100`, {
      headers: { Authorization: `Bearer ${apiKey}`, "User-Agent": "rollcall" },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body = (await answer.json()) as {
      data?: { name: string; status: string }[];
      name?: string;
      message?: string;
    };
    if (!answer.ok) {
      const isOurs = answer.status < 500 && answer.status !== 429;
      const reason = body.name === "restricted_api_key" ? "restricted" : isOurs ? "refused" : "away";
      return { problem: body.message ?? `status ${answer.status}`, reason };
    }
    const domains = body.data ?? [];
    return {
      isVerified: new Map(domains.map(({ name, status }) => [name.toLowerCase(), status === "verified"])),
    };
  } catch (error) {
    const { message, cause } = error as Error;
    return { problem: (cause as Error | undefined)?.message ?? message, reason: "away" };
  }
}

/** waiting: Resend waits for its DNS records. absent: it is not at Resend. */
export type SenderDomain = { domain: string; state: "verified" | "waiting" | "absent" };

/**
 * The distinct domains of senders, and whether Resend sends mails from them.
 * @param senders such as `Weekly <hello@x.org>`
 */
export function senderDomains(
  { isVerified }: Extract<ResendDomains, { isVerified: unknown }>,
  senders: string[],
): SenderDomain[] {
  const used = new Set(senders.map((sender) => sender.replace(/^.*@|>.*$/g, "").toLowerCase()));
  return [...used].map((domain) => ({
    domain,
    state: isVerified.get(domain) ? "verified" : isVerified.has(domain) ? "waiting" : "absent",
  }));
}
