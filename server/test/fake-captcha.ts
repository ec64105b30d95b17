import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Imitates siteverify of Turnstile and hCaptcha, as both document it. A token is valid once, for its site, with the
 * right secret.
 */
export async function startFakeCaptcha({ secret }: { secret: string }) {
  const tokens = new Set<string>();
  const asked: Record<string, string>[] = [];
  /** Simulates a fault: no response, invalid content, an error status, or another secret. */
  let fault: "none" | "silent" | "garbage" | "unavailable" | "rejecting our secret" = "none";
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const form = Object.fromEntries(new URLSearchParams(body));
    asked.push(form);
    if (fault === "silent") return;
    if (fault === "garbage" || fault === "unavailable")
      return void response.writeHead(fault === "garbage" ? 200 : 503).end("<html>come back later</html>");
    const errors =
      form.secret !== secret || fault !== "none"
        ? ["invalid-input-secret"]
        : tokens.delete(form.response ?? "")
          ? []
          : [form.response?.startsWith("token") ? "timeout-or-duplicate" : "invalid-input-response"];
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ success: errors.length === 0, "error-codes": errors }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`,
    asked,
    /** Makes the token of a person who passed the check. */
    token(): string {
      const token = `token-${crypto.randomUUID()}`;
      tokens.add(token);
      return token;
    },
    fail(how: typeof fault) {
      fault = how;
    },
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
