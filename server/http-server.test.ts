import type { RequestListener, Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, it } from "vitest";
import { share } from "./app";
import { POST } from "./http-handlers";
import { serverOf } from "./http-server";
import { openHttpApp } from "./test/http-app";

it("gives the same answers as a Next route, and 404 at other paths below /api", async () => {
  const { app, origin, close } = await openHttpApp();
  share(Promise.resolve(app));
  const headers = { Authorization: "Bearer sk_nobody", "Content-Type": "application/json" };
  const url = `${origin}/api/v1/subscribers`;
  expect((await POST(new Request(url, { method: "POST", headers, body: "{}" }))).status).toBe(401);
  expect((await fetch(`${origin}/api/nope`)).status).toBe(404);
  await close();
});

/** Starts the product's server with shorter limits. */
async function open(answer: RequestListener, limits: Partial<Server>) {
  const server = serverOf(answer).listen(0, "127.0.0.1");
  expect(server).toMatchObject({ headersTimeout: 15_000, requestTimeout: 120_000, timeout: 120_000 });
  Object.assign(server, limits);
  await new Promise((resolve) => server.once("listening", resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

/** Sends bytes on a new connection. @returns the bytes received until the server closes it */
const send = (port: number, bytes: string) =>
  new Promise<string>((resolve, reject) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.on("data", (received) => {
      text += received;
    });
    socket.on("close", () => resolve(text)).on("error", reject);
  });

it("answers a stalled body with 408, and does not limit the wait for a response", async () => {
  const answer: RequestListener = (request, response) => {
    // Longer than the 5 s between two checks of the connections.
    request.resume().on("end", () => setTimeout(() => response.end("late"), 8_000));
  };
  const { server, port } = await open(answer, { headersTimeout: 100, requestTimeout: 200 });
  const head = "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 4\r\n\r\n";
  const [stalled, whole] = await Promise.all([send(port, `${head}ab`), send(port, `${head}abcd`)]);
  expect(stalled).toContain("HTTP/1.1 408");
  expect(whole).toContain("late");
  server.close();
});

it("closes a connection whose response is not read, and sends a slow reader the whole response", async () => {
  const body = Buffer.alloc(32 * 1024 * 1024);
  const { server, port } = await open((_, response) => void response.end(body), { timeout: 1_500 });
  const head = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  const idle = connect(port, "127.0.0.1", () => idle.write(head)).pause();
  const slow = connect(port, "127.0.0.1", () => slow.write(head));
  let read = 0;
  slow.on("data", (bytes) => {
    read += bytes.length;
    slow.pause();
    setTimeout(() => slow.resume(), 4);
  });
  await new Promise((resolve) => slow.once("close", resolve));
  expect(read).toBeGreaterThan(body.length);
  const sockets = () => new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
  await expect.poll(sockets, { timeout: 20_000 }).toBe(0);
  idle.destroy();
  server.close();
});
