import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { isPublic, parseNetworks } from "../kernel/ip-address";
import { webhookAnswerSeconds } from "./schema/webhooks";
import { type Guard, postWebhook, urlProblem } from "./webhook-request";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.closeAllConnections();
});

/** A server on this machine. @returns its port and URL, and how often it was asked */
async function listen(answer: RequestListener) {
  const asked = { times: 0, port: 0, url: "" };
  const server = createServer((request, response) => {
    asked.times++;
    request.resume();
    answer(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  asked.port = (server.address() as AddressInfo).port;
  asked.url = `http://127.0.0.1:${asked.port}/`;
  return asked;
}

const here: Guard = { allowed: parseNetworks("127.0.0.1") };
/** A resolver that answers each question for a name with the next of these addresses. */
const leading = (...addresses: string[][]): Guard["resolve"] => {
  let question = 0;
  return ((_name: string, _options: object, done: (error: null, found: object[]) => void) => {
    const found = addresses[Math.min(question++, addresses.length - 1)] ?? [];
    done(
      null,
      found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  }) as unknown as Guard["resolve"];
};

const post = (guard: Guard, url: string) => postWebhook(guard, url, { "X-Test": "1" }, "{}");

test("recognizes public addresses", () => {
  const reserved = [
    "10.0.0.1 172.16.3.4 192.168.1.1 100.64.0.1 127.0.0.1 127.9.9.9 ::1 0.0.0.0 ::",
    "169.254.169.254 fe80::1 fd00::1 fc00::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1",
    "64:ff9b::7f00:1 2002:7f00:1:: 2001::1 224.0.0.1 255.255.255.255 ff02::1 192.0.2.1",
    "198.51.100.7 203.0.113.9 240.0.0.1 198.18.0.1 192.0.0.1 2001:db8::1 100::1 ::7f00:1",
    "::2 64:ff9b:1::a00:1 fec0::1 3fff::1 4000::1 nowhere",
  ].flatMap((line) => line.split(" "));
  expect(isPublic("")).toBe(false);
  expect(reserved.filter(isPublic)).toEqual([]);
  expect(["1.1.1.1", "93.184.216.34", "2606:4700::1111"].every(isPublic)).toBe(true);
});

test.each([
  ["not an address", /starting with https/],
  ["ftp://shop.example/", /starting with https/],
  ["https://user:secret@shop.example/", /name and password/],
  ["http://shop.example/", /https/],
  ["https://127.0.0.1/", /not a public internet address/],
  // The same address in other spellings.
  ["https://2130706433/", /not a public internet address/],
  ["https://0x7f.1/", /not a public internet address/],
  ["https://[::ffff:7f00:1]/", /not a public internet address/],
  ["https://169.254.169.254/latest/meta-data", /not a public internet address/],
])("rejects the URL %s", (url, why) => {
  expect(urlProblem({ allowed: [] }, url)).toMatch(why);
});

test("allows the networks that an operator lists, also without encryption", () => {
  const guard = { allowed: parseNetworks("10.1.0.0/16, ::1") };
  expect(urlProblem(guard, "http://10.1.2.3:8080/hook")).toBeNull();
  expect(urlProblem(guard, "http://[::1]/hook")).toBeNull();
  expect(urlProblem(guard, "https://10.2.0.1/")).toMatch(/not a public internet address/);
  expect(urlProblem(guard, "http://1.1.1.1/")).toMatch(/encryption/);
  for (const written of ["intranet", "10/8", "010.0.0.1", "0x7f.0.0.1", "127.1", "10.0.0.0/33"])
    expect(() => parseNetworks(written)).toThrow(/neither/);
});

test("does not call a name with a private address, even beside a public one", async () => {
  const asked = await listen((_, response) => response.end());
  for (const addresses of [["127.0.0.1"], ["93.184.216.34", "127.0.0.1"]]) {
    const guard = { allowed: [], resolve: leading(addresses) };
    const { says, ...outcome } = await post(guard, `https://shop.example:${asked.port}/`);
    expect(outcome).toMatchObject({ delivered: false, status: null });
    expect(says).toContain("shop.example is not a public internet address.");
    expect(says).not.toContain("127.0.0.1");
  }
  expect(asked.times).toBe(0);
});

test("calls the address that was checked, even if the name resolves elsewhere afterwards", async () => {
  const asked = await listen((_, response) => response.end());
  const guard = { allowed: parseNetworks("127.0.0.2"), resolve: leading(["127.0.0.2"], ["127.0.0.1"]) };
  const url = `http://shop.example:${asked.port}/`;
  // Nothing listens at the address that was checked; the one it leads to afterwards is refused.
  expect((await post(guard, url)).says).toMatch(/refused/);
  expect((await post(guard, url)).says).toMatch(/shop\.example is not a public internet address/);
  expect(asked.times).toBe(0);
});

test("follows no redirect, and cuts a long one", async () => {
  const inner = await listen((_, response) => response.end());
  const location = `${inner.url}${"x".repeat(10_000)}`;
  const asked = await listen((_, response) => response.writeHead(302, { Location: location }).end());
  const { says, ...outcome } = await post(here, asked.url);
  expect(outcome).toMatchObject({ delivered: false, status: 302 });
  expect(says).toMatch(/^It redirects to http:\S+x. Redirects are not followed/);
  expect(says.length).toBeLessThan(1_000);
  expect(inner.times).toBe(0);
});

test("reports a protocol change as a failure", async () => {
  const asked = await listen((request) => {
    request.socket.write(
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    );
  });
  expect(await post(here, asked.url)).toMatchObject({ delivered: false, status: 101 });
});

test("reads the beginning of an endless answer, and waits ten seconds for a silent endpoint", async () => {
  const endless = await listen((_, response) => {
    const timer = setInterval(() => response.write("x".repeat(900)), 5);
    response.on("close", () => clearInterval(timer));
  });
  const outcome = await post(here, endless.url);
  expect(outcome).toMatchObject({ delivered: true, status: 200, says: "x".repeat(1_000) });

  const silent = await listen(() => {});
  const began = performance.now();
  const none = await post(here, silent.url);
  const says = `It did not answer within ${webhookAnswerSeconds} seconds.`;
  expect(none).toMatchObject({ delivered: false, status: null, says });
  expect(performance.now() - began).toBeLessThan(webhookAnswerSeconds * 1000 + 5_000);
}, 30_000);

test("reopens a kept connection that the endpoint has closed", async () => {
  let closed = Promise.resolve();
  const asked = await listen((request, response) => {
    closed = new Promise((resolve) => request.socket.once("close", () => resolve()));
    response.end("taken", () => request.socket.end());
  });
  for (let i = 0; i < 3; i++) {
    expect(await post(here, asked.url)).toMatchObject({ delivered: true, says: "taken" });
    await closed;
  }
  expect(asked.times).toBe(3);
});
