import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { askRaw, expectRejection, rawRequest, SUBSCRIBERS } from "./client";
import type { Stage } from "./stage";

const HEAD = "POST /api/v1/subscribers HTTP/1.1\r\nHost: localhost\r\n";

/** Node's parser rejects these requests. contract.md §3 promises the envelope for them, too. */
export function unparsedSuite(stage: Stage): void {
  it.each([
    ["headers over 16 KiB", `${HEAD}X-Long: ${"x".repeat(17_000)}\r\n\r\n`, 431, "payload_too_large"],
    ["a path over 16 KiB", `GET /api/v1/${"x".repeat(17_000)} HTTP/1.1\r\n`, 431, "payload_too_large"],
    ["a NUL in a header", `${HEAD}X-Odd: a\0b\r\n\r\n`, 400, "validation_error"],
    ["a header without a colon", `${HEAD}Oddly\r\n\r\n`, 400, "validation_error"],
    ["a request line that is none", "what is this\r\n\r\n", 400, "validation_error"],
    ["another protocol", "\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03", 400, "validation_error"],
    ["two lengths", `${HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400, "validation_error"],
  ] as const)(
    "%s is rejected in the envelope, and the connection closed",
    async (_, request, status, code) => {
      const answer = await askRaw(stage.mount, request);
      expectRejection(answer, status, code);
      expect(answer.headers.connection).toBe("close");
      expect(Number(answer.headers["content-length"])).toBe(Buffer.byteLength(answer.text));
    },
  );

  it("a body whose chunks are broken is rejected in the envelope, and adds no one", async () => {
    const { key, newsletterId } = await stage.at.tenant();
    const head = `${HEAD}Authorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
    const answer = await askRaw(stage.mount, `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`);
    expectRejection(answer, 400, "validation_error");
    expect(await stage.at.list(newsletterId)).toEqual([]);
  });

  describe("after a good request on the same connection", () => {
    it("the good one is answered before the rejection", async () => {
      const { key, newsletterId } = await stage.at.tenant();
      const body = '{"email": "ada@example.org"}';
      const good = rawRequest("POST", SUBSCRIBERS, [`Authorization: Bearer ${key}`], body).replace(
        "Connection: close",
        "Connection: keep-alive",
      );
      const { hostname, port } = new URL(stage.mount.url);
      const socket = connect(Number(port), hostname, () => socket.write(`${good}GARBAGE\0\r\n\r\n`));
      const statuses = [...(await text(socket)).matchAll(/HTTP\/1\.1 (\d+)/g)].map((line) => line[1]);
      expect(statuses).toEqual(["201", "400"]);
      expect(await stage.at.list(newsletterId)).toHaveLength(1);
    });
  });
}
