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

it("answers a stalled body with 408, and limits how long clients may send and read", async () => {
  const server = serverOf((request) => void request.resume()).listen(0, "127.0.0.1");
  expect(server).toMatchObject({ headersTimeout: 15_000, requestTimeout: 120_000, timeout: 120_000 });
  Object.assign(server, { headersTimeout: 100, requestTimeout: 200 });
  await new Promise((resolve) => server.once("listening", resolve));
  const answer = await new Promise<string>((resolve, reject) => {
    let text = "";
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nab");
    socket.on("data", (bytes) => {
      text += bytes;
    });
    socket.on("close", () => resolve(text)).on("error", reject);
  });
  expect(answer).toContain("HTTP/1.1 408");
  server.close();
});
