// The SDK's own client of MCP.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Mount } from "./client";

// biome-ignore lint/suspicious/noExplicitAny: a test looks at what came
type Loose = any;

export type McpClient = Client & {
  /** Calls a tool. @returns its structured content; an error of the tool has `code` and `message` */
  use(name: string, given?: Record<string, unknown>): Promise<Loose>;
};

/** Connects with a key. Rejects when the server answers with an error. */
export async function connectMcp({ url }: Mount, key: string): Promise<McpClient> {
  const client = new Client({ name: "test", version: "1.0.0" });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit }) as Loose);
  return Object.assign(client, {
    async use(name: string, given: Record<string, unknown> = {}) {
      const { content, structuredContent, isError } = (await client.callTool({
        name,
        arguments: given,
      })) as Loose;
      // Clients without support for structured content read the same data as text.
      if (JSON.stringify(structuredContent) !== content[0].text) throw new Error(content[0].text);
      if (Boolean(isError) !== (structuredContent.code !== undefined)) throw new Error(content[0].text);
      return structuredContent;
    },
  });
}
