import { connect, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { type Answer, BULK, expectRejection, type Mount, parseRaw, SUBSCRIBERS } from "./client";
import { create, createMany, type Stage } from "./stage";

const LIMIT = 512 * 1024;
const ADA = '{"email":"ada@example.org"}';

/** 64 KiB of white space, as a chunk. */
const CHUNK = `10000\r\n${" ".repeat(65_536)}\r\n`;

/** A valid body of exactly so many bytes: the rest is a field that nobody asked for. */
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
  // What becomes of the connection is what the tests look at.
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

/** contract.md §3: 400, 413 and 415, and what a body may do to others. */
export function bodySuite(stage: Stage): void {
  describe("a body's size", () => {
    it.each([
      ["with its length", false],
      ["chunked", true],
    ])("may be 512 KiB to the byte, and not one more, %s", async (_, chunked) => {
      const { key, newsletterId } = await stage.at.tenant();
      expectRejection(
        await create(stage, key, undefined, { raw: ofSize(LIMIT + 1), chunked }),
        413,
        "payload_too_large",
      );
      expect(await stage.at.list(newsletterId)).toEqual([]);
      expect((await create(stage, key, undefined, { raw: ofSize(LIMIT), chunked })).status).toBe(201);
      expectRejection(
        await createMany(stage, key, undefined, { raw: ofSize(LIMIT + 1), chunked }),
        413,
        "payload_too_large",
      );
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

    it("is rejected as it is announced, without waiting for all of it", async () => {
      const { key } = await stage.at.tenant();
      for (const length of [10_000_000, 10_000_000_000]) {
        const { answer } = await sendUntilClosed(
          stage.mount,
          head(key, `Content-Length: ${length}`),
          () => null,
        );
        expectRejection(answer, 413, "payload_too_large");
      }
    });

    it.each([
      ["with its length", false],
      ["chunked", true],
    ])(
      "of 5 MB %s is answered 413, which its sender hears, on a connection that lives on",
      async (_, chunked) => {
        const { key } = await stage.at.tenant();
        const raw = " ".repeat(5_000_000);
        const answer = await create(stage, key, undefined, { raw, chunked });
        expectRejection(answer, 413, "payload_too_large");
        expect(answer.headers.connection).toBe("keep-alive");
      },
    );

    it("without end is cut off, with 413 for who listens", async () => {
      const { key } = await stage.at.tenant();
      const endless = head(key, "Transfer-Encoding: chunked");
      const { answer } = await sendUntilClosed(stage.mount, endless, () => CHUNK);
      // Who writes on into a closed connection may lose the answer with it.
      if (answer.text !== "") expectRejection(answer, 413, "payload_too_large");
      expect((await create(stage, key, undefined, { raw: ADA })).status).toBe(201);
    });
  });

  describe("a body's type", () => {
    it.each([
      "application/json",
      "application/json; charset=utf-8",
      "application/json;charset=UTF-8",
      'application/json; charset="utf-8"',
      "Application/JSON ; charset=utf8",
    ])("%s is JSON", async (type) => {
      const { key } = await stage.at.tenant();
      expect(
        (await create(stage, key, undefined, { raw: ADA, headers: { "Content-Type": type } })).status,
      ).toBe(201);
    });

    it.each([
      "",
      "text/plain",
      "text/json",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/jsonp",
      "application/json-patch+json",
      "application/problem+json",
      "application/json; charset=utf-16",
      "application/json; charset=latin1",
      "application/json, text/plain",
    ])("%j is 415", async (type) => {
      const { key, newsletterId } = await stage.at.tenant();
      for (const path of [SUBSCRIBERS, BULK]) {
        expectRejection(
          await create(stage, key, undefined, { path, raw: ADA, headers: { "Content-Type": type } }),
          415,
          "unsupported_media_type",
        );
      }
      expect(await stage.at.list(newsletterId)).toEqual([]);
    });

    it("compressed is 415, and named identity is as it is", async () => {
      const { key } = await stage.at.tenant();
      for (const encoding of ["gzip", "br", "deflate", "GZIP", "identity, gzip"]) {
        expectRejection(
          await create(stage, key, undefined, { raw: ADA, headers: { "Content-Encoding": encoding } }),
          415,
          "unsupported_media_type",
        );
      }
      expect(
        (await create(stage, key, undefined, { raw: ADA, headers: { "Content-Encoding": "identity" } }))
          .status,
      ).toBe(201);
    });
  });

  describe("a body that is not JSON is 400", () => {
    const bytes: [string, Uint8Array | string][] = [
      ["empty", ""],
      ["only space", " \n\t "],
      ["UTF-16LE", Buffer.from(ADA, "utf16le")],
      [
        "UTF-16BE with its mark",
        Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(ADA, "utf16le").swap16()]),
      ],
      ["UTF-8 with a byte order mark", `\ufeff${ADA}`],
      [
        "invalid UTF-8 in a string",
        Buffer.concat([
          Buffer.from('{"email":"ada@example.org","name":"'),
          Buffer.from([0xff]),
          Buffer.from('"}'),
        ]),
      ],
      [
        "an overlong slash",
        Buffer.concat([
          Buffer.from('{"email":"ada@example.org","name":"'),
          Buffer.from([0xc0, 0xaf]),
          Buffer.from('"}'),
        ]),
      ],
      [
        "a surrogate in UTF-8",
        Buffer.concat([
          Buffer.from('{"email":"ada@example.org","name":"'),
          Buffer.from([0xed, 0xa0, 0x80]),
          Buffer.from('"}'),
        ]),
      ],
      ["a form", "email=ada%40example.org"],
      ["cut short", ADA.slice(0, -1)],
      ["two documents", `${ADA}\n${ADA}`],
      ["with a comment", `${ADA} // Ada`],
      ["with single quotes", "{'email':'ada@example.org'}"],
      ["NaN", "NaN"],
    ];
    it.each(bytes)("%s", async (_, raw) => {
      const { key, newsletterId } = await stage.at.tenant();
      for (const path of [SUBSCRIBERS, BULK])
        expectRejection(await create(stage, key, undefined, { path, raw }), 400, "validation_error");
      expect(await stage.at.list(newsletterId)).toEqual([]);
    });

    it.each([
      ['{\n  "email": "ada@example.org"\n  "name": "Ada"\n}', 3, 3],
      ['{"email": ada@example.org}', 1, 11],
      ['[\n{"email":"a@example.org"},\n]', 3, 1],
      ["", undefined, undefined],
    ])("and the message says where: %j", async (raw, line, column) => {
      const { key } = await stage.at.tenant();
      const { message } = (await create(stage, key, undefined, { raw })).json;
      if (line === undefined) expect(message).toContain("empty");
      else expect(message).toContain(`line ${line}, column ${column},`);
    });
  });

  describe("a caller who is slow or goes away", () => {
    it("hinders nobody: with 40 bodies that trickle in, others are served", async () => {
      const { key } = await stage.at.tenant();
      const slow = Array.from({ length: 40 }, () => open(stage.mount));
      try {
        for (const socket of slow) socket.write(`${head(key, "Content-Length: 1000")}{`);
        for (let i = 0; i < 10; i++) {
          const startedAt = performance.now();
          expect((await create(stage, key, { email: `ada${i}@example.org`, status: "pending" })).status).toBe(
            201,
          );
          expect(performance.now() - startedAt).toBeLessThan(2_000);
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
