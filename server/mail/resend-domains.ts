/** What Resend says of a key: the domains that it may send from; or why it does not say. */
export type ResendDomains =
  | { verified: string[]; others: string[] }
  | { problem: string; isRestricted: boolean };

const TIMEOUT_MS = 10_000;

/** The SDK pages and waits without end; this asks once, for the first 100. Never throws. */
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
    if (!answer.ok)
      return {
        problem: body.message ?? `status ${answer.status}`,
        isRestricted: body.name === "restricted_api_key",
      };
    const domains = body.data ?? [];
    const named = (isVerified: boolean) =>
      domains
        .filter(({ status }) => (status === "verified") === isVerified)
        .map(({ name }) => name.toLowerCase());
    return { verified: named(true), others: named(false) };
  } catch (error) {
    const { message, cause } = error as Error;
    return { problem: (cause as Error | undefined)?.message ?? message, isRestricted: false };
  }
}
