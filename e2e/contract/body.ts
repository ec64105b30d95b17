import { connect, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { type Answer, expectRejection, type Mount, parseRaw, SUBSCRIBERS } from "./client";
import { create, createMany, type Stage } from "./stage";

const LIMIT = 512 * 1024;
const ADA = '{"email":"ada@example.org"}';

/** 64 KiB of white space, as a chunk. */
const CHUNK = `10000\r\n${" ".repeat(65_536)}\r\n`;

/** A valid body of so many bytes; an unknown field fills it. */
function ofSize(bytes: number): string {
  const frame = '{"email":"ada@example.org","x":""}';
  return frame.replace('""', `"${"x".repeat(bytes - frame.length)}"`);
}

/** The head of a POST with this key, so far without a body. */
function head(key: string, ...lines: string[]): string {
  return [
    `POST ${SUBSCRIBERS} HTTP/1.1`,
    "Host: localhost",
    `Authorization: Bearer ${key}`,
    "Content-Type: application/json",
    ...lines,
    "",
    "",
  ].join("\r\n");
}

function open(mount: Mount): Socket {
  const { hostname, port } = new URL(mount.url);
  // Tests read how the connection ends.
  return connect(Number(port), hostname).on("error", () => {});
}

/** Sends what `more` gives for as long as the server takes it; resolves when the server has closed the connection. */
function sendUntilClosed(
  mount: Mount,
  start: string,
  more: () => string | null,
): Promise<{ answer: Answer; sent: number }> {
  return new Promise((resolve) => {
    const socket = open(mount);
    const received: Buffer[] = [];
    let sent = 0;
    const pump = () => {
      for (let room = true; room && !socket.destroyed; ) {
        const next = more();
        if (next === null) return;
        sent += next.length;
        room = socket.write(next);
      }
    };
    socket.on("drain", pump);
    socket.on("data", (chunk) => received.push(chunk));
    socket.on("close", () => resolve({ answer: parseRaw(Buffer.concat(received)), sent }));
    socket.write(start);
    pump();
  });
}

type Case = [status: number, name: string, value: string, raw: string];
const TYPE = "Content-Type";
/** "adé" in ISO 8859-1 is not valid UTF-8. */
const LATIN1 = Buffer.from('{"email":"ada@example.org","name":"ad\xe9"}', "latin1");

/** contract.md §3: 400, 413 and 415, and what a body may do to others. */
export function bodySuite(stage: Stage): void {
  describe("a body's size", () => {
    it.each([false, true])("may be 512 KiB, and not one byte more, chunked: %s", async (chunked) => {
      const { key, newsletterId } = await stage.at.tenant();
      const over = { raw: ofSize(LIMIT + 1), chunked };
      expectRejection(await create(stage, key, undefined, over), 413, "payload_too_large");
      expectRejection(await createMany(stage, key, undefined, over), 413, "payload_too_large");
      expect(await stage.at.list(newsletterId)).toEqual([]);
      expect((await create(stage, key, undefined, { raw: ofSize(LIMIT), chunked })).status).toBe(201);
    });

    it("holds 100 people whose names are 255 emoji each, written as escapes", async () => {
      const { key, newsletterId } = await stage.at.tenant();
      const name = "\\ud83d\\ude00".repeat(255);
      const people = Array.from(
        { length: 100 },
        (_, i) => `{"email":"emoji${i}@example.org","name":"${name}"}`,
      );
      expect((await createMany(stage, key, undefined, { raw: `[${people.join()}]` })).status).toBe(201);
      expect(await stage.at.list(newsletterId)).toHaveLength(100);
    });

    it("is rejected by its Content-Length, before it is read", async () => {
      const { key } = await stage.at.tenant();
      for (const length of [10_000_000, 10_000_000_000]) {
        const large = head(key, `Content-Length: ${length}`);
        const { answer } = await sendUntilClosed(stage.mount, large, () => null);
        expectRejection(answer, 413, "payload_too_large");
      }
    });

    it("of 5 MB is answered 413, and the connection stays open", async () => {
      const { key } = await stage.at.tenant();
      for (const chunked of [false, true]) {
        const answer = await create(stage, key, undefined, { raw: " ".repeat(5_000_000), chunked });
        expectRejection(answer, 413, "payload_too_large");
        expect(answer.headers.connection).toBe("keep-alive");
      }
    });

    it("without an end is cut off, with 413 for clients that read", async () => {
      const { key } = await stage.at.tenant();
      const endless = head(key, "Transfer-Encoding: chunked");
      const { answer } = await sendUntilClosed(stage.mount, endless, () => CHUNK);
      // A client that keeps writing into a closed connection may lose the answer.
      if (answer.text !== "") expectRejection(answer, 413, "payload_too_large");
      expect((await create(stage, key, undefined, { raw: ADA })).status).toBe(201);
    });
  });

  describe("a body's type", () => {
    it.each<Case>([
      ...["", "text/plain", "application/x-www-form-urlencoded", "text/json", "application/problem+json"].map(
        (type): Case => [201, TYPE, type, ADA],
      ),
      [201, TYPE, 'application/json; charset="utf-8"', ADA],
      [201, TYPE, "application/json", `\ufeff${ADA}`],
      [201, "Content-Encoding", "identity", ADA],
      ...["text/plain", "application/x-www-form-urlencoded", "application/json, text/plain"].map(
        (type): Case => [415, TYPE, type, "email=ada%40example.org"],
      ),
      ...["", "application/json", "text/json", "application/problem+json"].map(
        (type): Case => [400, TYPE, type, "email=ada%40example.org"],
      ),
      ...["gzip", "br", "GZIP", "identity, gzip"].map((value): Case => [415, "Content-Encoding", value, ADA]),
    ])("is answered %i for %s: %s with %s", async (status, name, value, raw) => {
      const { key, newsletterId } = await stage.at.tenant();
      const headers = { [name]: value };
      const answer = await create(stage, key, undefined, { raw, headers });
      expect(answer.status).toBe(status);
      if (status === 201) return;
      const code = status === 415 ? "unsupported_media_type" : "validation_error";
      expectRejection(answer, status, code);
      const bulk = await createMany(stage, key, undefined, { raw: `[${raw}`, headers });
      expectRejection(bulk, status, code);
      expect(await stage.at.list(newsletterId)).toEqual([]);
    });

    it("that is declared in another character set is 415 when it is no UTF-8", async () => {
      const { key } = await stage.at.tenant();
      for (const [type, status, code] of [
        ["application/json; charset=latin1", 415, "unsupported_media_type"],
        ["application/json", 400, "validation_error"],
      ] as const)
        expectRejection(
          await create(stage, key, undefined, { raw: LATIN1, headers: { [TYPE]: type } }),
          status,
          code,
        );
    });
  });

  describe("a slow or vanished caller", () => {
    it("does not delay others: with 40 slow bodies, creates are answered", async () => {
      const { key } = await stage.at.tenant();
      const slow = Array.from({ length: 40 }, () => open(stage.mount));
      try {
        for (const socket of slow) socket.write(`${head(key, "Content-Length: 1000")}{`);
        for (let i = 0; i < 10; i++) {
          expect((await create(stage, key, { email: `ada${i}@example.org`, status: "pending" })).status).toBe(
            201,
          );
          for (const socket of slow) socket.write(" ");
        }
        for (const socket of slow) expect(socket.bytesRead).toBe(0);
      } finally {
        for (const socket of slow) socket.destroy();
      }
    });

    it("in the middle of a body leaves nothing behind", async () => {
      const { key, newsletterId } = await stage.at.tenant();
      for (const length of [`Content-Length: ${ADA.length + 1}`, "Transfer-Encoding: chunked"]) {
        const socket = open(stage.mount);
        await new Promise((resolve) =>
          socket.write(`${head(key, length)}${length.startsWith("T") ? "1b\r\n" : ""}${ADA}`, resolve),
        );
        socket.destroy();
      }
      expect((await create(stage, key, { email: "bob@example.org" })).status).toBe(201);
      expect((await stage.at.list(newsletterId)).map((row) => row.email)).toEqual(["bob@example.org"]);
    });
  });
}
