import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";

/**
 * A proxy to a database, on a socket. It can close connections, stop answering, recover, and switch to another
 * database.
 */
export type DatabaseLine = {
  url: string;
  cut(): void;
  silence(): void;
  fix(): void;
  lead(databaseUrl: string): void;
  close(): void;
};

export async function openDatabaseLine(databaseUrl: string): Promise<DatabaseLine> {
  const url = new URL(databaseUrl);
  const socketOf = ({ searchParams }: URL) => join(searchParams.get("host") as string, ".s.PGSQL.5432");
  let socketPath = socketOf(url);
  url.searchParams.delete("host");
  const sockets = new Set<Socket>();
  let state: "whole" | "cut" | "silent" = "whole";
  const server = createServer((near) => {
    if (state === "cut") return void near.destroy();
    const far = connect(socketPath);
    for (const [socket, peer] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on("data", (bytes) => peer.write(bytes));
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        peer.destroy();
      });
      if (state === "silent") socket.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url.port = String((server.address() as AddressInfo).port);
  url.hostname = "127.0.0.1";
  const cut = () => {
    state = "cut";
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    cut,
    silence() {
      state = "silent";
      for (const socket of sockets) socket.pause();
    },
    fix() {
      state = "whole";
      for (const socket of sockets) socket.resume();
    },
    lead(next) {
      socketPath = socketOf(new URL(next));
    },
    close() {
      cut();
      server.close();
    },
  };
}
