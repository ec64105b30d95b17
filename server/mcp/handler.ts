import { hasNewsletter } from "../api-keys/api-key-cache";
import { AppError, malformed } from "../kernel/errors";
import { readJsonBody } from "../platform/http/request-body";
import type { Answer } from "../rest/envelope";
import { type Arrival, admit, answering, ctxOf, type RequestFacts } from "../rest/handler";

/** A message counts as a read. Every tool reads, and a plan changes nothing that the key could not read. */
const reading = { method: "GET", permission: "subscribers:read" } as const;

/** @throws AppError for a request that is not one message of a program */
function checkSender({ app, request }: Arrival): void {
  if (request.method !== "POST")
    throw new AppError(
      "method_not_allowed",
      "This path supports POST only: it keeps no session and no stream.",
      {
        headers: { Allow: "POST" },
      },
    );
  // The protocol asks for this check. Programs send no Origin, and browsers can't forge it.
  const origin = request.headers.get("origin");
  if (origin !== null && !app.origins.includes(origin))
    throw new AppError(
      "api_access_disabled",
      "Web pages of other sites can't use MCP. Connect from a program.",
    );
}

async function answerMcp(arrival: Arrival, facts: RequestFacts): Promise<Answer> {
  const { app, request } = arrival;
  checkSender(arrival);
  const key = await admit(arrival, facts, { operation: reading, url: new URL(request.url), named: null });
  if (!hasNewsletter(key))
    throw new AppError(
      "api_access_disabled",
      "MCP needs a key for one newsletter. This key is for all newsletters.",
    );
  const message = await readJsonBody(request);
  if (Array.isArray(message)) throw malformed("Send one message in a request. Batches are not supported.");
  const { answerMessage, toolIn } = await import("./protocol");
  const tool = toolIn(message);
  if (tool) facts.operation = tool;
  const call = { app, ctx: ctxOf(app, key, facts.requestId), principal: key };
  const { response, error } = await answerMessage(call, request, message);
  return { status: response.status, body: await response.text(), ...(error && { error }) };
}

/** Answers MCP over streamable HTTP as one fetch handler. Keys, limits and logs are those of the REST API. Never rejects. */
export const handleMcp = answering(answerMcp, "mcp");
