import { createServer } from "node:net";
import { totalmem } from "node:os";

const MB = 1024 * 1024;
const FIRST_PORT = 15432;
const PORTS = 1000;

/**
 * Command-line settings of the embedded PostgreSQL: TCP on loopback only (no socket file, whose path may
 * be too long). `durable: false` is for throwaway clusters: fast, and lost when the machine goes down.
 */
export function settings(port: number, durable: boolean): string[] {
  const chosen: Record<string, string> = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: "",
    timezone: "UTC",
    log_timezone: "UTC",
    log_checkpoints: "off",
    logging_collector: "off",
    max_connections: durable ? "100" : "300", // tests run many servers on one cluster
    shared_buffers: durable ? sharedBuffers() : "64MB",
    random_page_cost: "1.1", // hardly a disk that turns is left
    jit: "off", // it pays off only for long reports, and costs each of our short statements
    fsync: durable ? "on" : "off",
    synchronous_commit: durable ? "on" : "off",
    full_page_writes: durable ? "on" : "off",
  };
  return Object.entries(chosen).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** An eighth of the memory we may use, between 128 MB and 1 GB: node and the page cache need the rest. */
function sharedBuffers(): string {
  const allowed = process.constrainedMemory?.() ?? 0;
  const memory = allowed > 0 ? Math.min(allowed, totalmem()) : totalmem();
  return `${Math.min(1024, Math.max(128, Math.floor(memory / 8 / MB)))}MB`;
}

/** `wanted` (0: none) when it is free on 127.0.0.1, else another free port. */
export async function pickPort(wanted: number): Promise<number> {
  if (wanted && (await listensOn(wanted))) return wanted;
  for (let tries = 0; tries < 20; tries++) {
    // Below the range that systems hand out to outgoing connections, so that it is still free next time.
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS);
    if (await listensOn(port)) return port;
  }
  return (await listensOn(0)) || FIRST_PORT;
}

/** The port when it could be bound (0 means any), else 0. */
function listensOn(port: number): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(0));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
