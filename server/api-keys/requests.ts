import { z } from "zod";
import type { ActorContext } from "../accounts/context";
import { pageOf } from "../kernel/cursor";
import { toolNames } from "../mcp/schema/tool-names";
import { type OperationId, operations } from "../rest/schema/operations";
import { listApiRequests } from "./queries/api-requests";
import { answersMatching, loggedOperations, outcomes, requestsKeptDays } from "./schema/request-log";

const PAGE_SIZE = 50;

const MOST_MINUTES = requestsKeptDays * 24 * 60;

export const RequestView = z.object({
  keyId: z.uuid().optional(),
  operation: z.enum(loggedOperations).optional(),
  /** An outcome, a status or a code; see `answersMatching`. */
  answer: z
    .string()
    .max(100)
    .refine((word) => answersMatching(word).length > 0, "Unknown result.")
    .optional(),
  withinMinutes: z.int().min(1).max(MOST_MINUTES).optional(),
});
export type RequestView = z.infer<typeof RequestView>;

type ListInput = { newsletterId: string; view: RequestView; cursor?: string | null | undefined };

/** Returns a page of a newsletter's request log, newest first. */
export async function listRequests(
  { db }: Pick<ActorContext, "db">,
  { newsletterId, view, cursor }: ListInput,
) {
  const { keyId, operation, answer, withinMinutes } = view;
  const filter = {
    newsletterId,
    ...(keyId && { apiKeyId: keyId }),
    ...((operation || answer) && {
      among: {
        operations: operation ? [operation] : loggedOperations,
        answers: answer ? answersMatching(answer) : outcomes.flatMap(answersMatching),
      },
    }),
    ...(withinMinutes && { withinMinutes }),
  };
  const rows = await listApiRequests(db, filter, PAGE_SIZE + 1, cursor ?? null);
  const { items, next } = pageOf(rows, PAGE_SIZE, ({ id }) => id);
  const withCall = ({ isNewsletterNamed, ...row }: (typeof items)[number]) => ({
    ...row,
    call: callOf(row.operation, isNewsletterNamed ? `/newsletters/${newsletterId}` : ""),
  });
  return { items: items.map(withCall), next };
}

/**
 * Returns an operation's method and path; null for an operation that no longer exists.
 * @param named the part of the path that names the newsletter; may be empty
 */
function callOf(operation: string, named: string): { method: string; path: string } | null {
  if (toolNames.some((tool) => tool === operation)) return { method: "POST", path: "/mcp" };
  if (!Object.hasOwn(operations, operation)) return null;
  const { method, path } = operations[operation as OperationId];
  return { method, path: path.replace("/api/v1", `/api/v1${named}`) };
}
