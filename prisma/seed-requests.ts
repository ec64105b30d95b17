import { type ApiRequestRow, insertApiRequests } from "../server/api-keys/queries/api-requests";
import { answersMatching, type LoggedOperation } from "../server/api-keys/schema/request-log";
import type { Db } from "../server/platform/db/client";

const DAY_MS = 86_400_000;
const REQUESTS = 1200;

type Kind = { share: number; operation: LoggedOperation; answer: string; rejected?: string };

/** What an ordinary shop and website ask for, and what fails there. */
const kinds: Kind[] = [
  { share: 0.72, operation: "createSubscriber", answer: "201" },
  { share: 0.79, operation: "listSubscribers", answer: "200" },
  { share: 0.83, operation: "createSubscribers", answer: "201" },
  { share: 0.87, operation: "updateSubscriber", answer: "200" },
  { share: 0.89, operation: "deleteSubscriber", answer: "200" },
  { share: 0.95, operation: "createSubscriber", answer: "email_already_subscribed", rejected: "email" },
  { share: 0.98, operation: "createSubscriber", answer: "validation_error", rejected: "email" },
  {
    share: 0.99,
    operation: "createSubscribers",
    answer: "validation_error",
    rejected: "email: tld ×2, name: too_long",
  },
  { share: 0.996, operation: "getSubscriber", answer: "not_found" },
  { share: 1, operation: "createSubscriber", answer: "service_unavailable" },
];

/** Fills the request log of the demo's newsletter as a month would. */
export async function writeRequests(
  db: Db,
  newsletterId: string,
  keyIds: [string, string],
  random: () => number,
): Promise<void> {
  const now = Date.now();
  const rows: ApiRequestRow[] = Array.from({ length: REQUESTS }, (_, n) => {
    const at = random();
    const { operation, answer, rejected = null } = kinds.find(({ share }) => at <= share) as Kind;
    const { status, code } = answersMatching(answer).at(-1) as { status: number; code: string };
    return {
      newsletterId,
      apiKeyId: keyIds[random() < 0.6 ? 1 : 0],
      operation,
      status,
      code: code || null,
      requestId: crypto.randomUUID(),
      durationMs: Math.round(2 + random() ** 6 * 140),
      rejected,
      at: new Date(now - ((n + random()) / REQUESTS) ** 1.4 * 29 * DAY_MS - 40_000),
    };
  });
  await insertApiRequests(db, rows);
  for (const [i, id] of keyIds.entries()) {
    const last = rows.find((row) => row.apiKeyId === id);
    await db.apiKey.update({
      where: { id },
      data: { lastUsedAt: last?.at ?? null, lastUsedFrom: i === 0 ? "198.51.100.24" : "203.0.113.80" },
    });
  }
}
