import { get } from "node:http";
import { appUrl, type Config } from "../config";

const TIMEOUT_MS = 3_000;

/** Returns the /api/health report of the server with these settings; null when no server answers on this machine. */
export function askRunningServer(config: Config): Promise<{ issues: string[] } | null> {
  const { HOST, PORT, HEALTH_TOKEN } = config;
  const hostname = HOST === "0.0.0.0" || HOST === "::" ? "127.0.0.1" : HOST;
  // The server shows details only under its own host name.
  const headers = {
    Host: new URL(appUrl(config)).host,
    ...(HEALTH_TOKEN && { Authorization: `Bearer ${HEALTH_TOKEN}` }),
  };
  return new Promise((resolve) => {
    const request = get(
      { hostname, port: PORT, path: "/api/health", headers, timeout: TIMEOUT_MS },
      (answer) => {
        let text = "";
        answer.on("data", (chunk) => (text += chunk)).on("end", () => resolve(healthOf(text)));
      },
    );
    request.on("timeout", () => request.destroy()).on("error", () => resolve(null));
  });
}

function healthOf(text: string): { issues: string[] } | null {
  try {
    const health = JSON.parse(text);
    return Array.isArray(health.issues) ? health : null;
  } catch {
    return null;
  }
}
