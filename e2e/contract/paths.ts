import { describe, expect, it } from "vitest";
import { ask, askRaw, BULK, expectOwnHeaders, expectRejection, rawRequest, SUBSCRIBERS } from "./client";
import type { Stage } from "./stage";

/** Paths that lead nowhere. They are sent as they are written. */
const NOWHERE = [
  "/api/v1",
  "/api/v1/",
  "/api/v1?x=1",
  "/api/v1/nope",
  "/api/v1/Subscribers",
  "/api/v1/subscriber",
  "/api/v1/subscribers.json",
  "/api/v1/subscribers/",
  "/api/v1/subscribers/bulk/",
  "/api/v1/subscribers/bulk/x",
  "/api/v1/subscribers//bulk",
  "/api/v1//subscribers",
  "/api/v1/subscribers%2Fbulk",
  "/api/v1/subscribers%00",
  "/api/v1/%73ubscribers",
  "/api/v1/subscribers;x=1",
  "/api/v1/%",
  "/api/v1/%E0%A4%A",
  "/api/v1/subscribers/%ff%fe",
  "/api/v1/__proto__",
  "/api/v1/constructor",
  "/api/v1/_next/data",
  "/api/v1/[[...path]]",
  "/api/v1/..%2f..%2fetc%2fpasswd",
  "/api/v1/x".padEnd(4_000, "x"),
];

/** Paths with dot segments, which the two mounts may read as what they lead to, but never as a page. */
const WINDING = [
  "/api/v1/../x",
  "/api/v1/../../etc/passwd",
  "/api/v1/x/../nope",
  "/api/v1/./nope",
  "/api/v1/%2e%2e/x",
];

/** contract.md §3: what is answered where there is nothing, or nothing of that verb. */
export function pathsSuite(stage: Stage): void {
  describe("an unknown path", () => {
    it.each(NOWHERE)("%s is 404 in the envelope, with a key and without, for every verb", async (path) => {
      const { key } = await stage.at.tenant();
      for (const method of ["GET", "POST", "PUT", "DELETE"]) {
        expectRejection(await ask(stage.mount, { method, path, key }), 404, "not_found");
        expectRejection(await ask(stage.mount, { method, path, raw: "{}" }), 404, "not_found");
      }
    });

    it.each(WINDING)("%s is a rejection in the envelope, never a page", async (path) => {
      expectRejection(await ask(stage.mount, { path, raw: "{}" }), 404, "not_found");
    });

    it("is 404 to any verb at all", async () => {
      for (const method of ["PATCH", "OPTIONS", "PROPFIND", "MKCOL", "LINK"]) {
        expectRejection(await ask(stage.mount, { method, path: "/api/v1/nope" }), 404, "not_found");
      }
    });

    it("is nobody else's business: what only begins alike is not the API's", async () => {
      const { headers } = await ask(stage.mount, { method: "GET", path: "/api/v1x" });
      expect(headers["x-request-id"]).toBeUndefined();
    });
  });

  describe("an unknown verb", () => {
    it.each(["PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "MKCOL", "REPORT", "LINK", "PURGE"])(
      "%s is 405 with Allow, in the envelope, with a key and without",
      async (method) => {
        const { key } = await stage.at.tenant();
        for (const path of [SUBSCRIBERS, BULK]) {
          for (const question of [
            { method, path, key },
            { method, path },
            { method, path: `${path}?dry_run=true` },
          ]) {
            const answer = await ask(stage.mount, question);
            expectRejection(answer, 405, "method_not_allowed");
            const allowed = answer.headers.allow?.split(", ");
            expect(allowed).toContain("POST");
            expect(allowed).not.toContain(method);
          }
        }
      },
    );

    it("in small letters is not the verb: HTTP's verbs are told apart by case", async () => {
      const { key } = await stage.at.tenant();
      const answer = await askRaw(
        stage.mount,
        rawRequest("post", SUBSCRIBERS, [`Authorization: Bearer ${key}`], "{}"),
      );
      expect([400, 405]).toContain(answer.status);
    });

    it("HEAD answers what GET would, without a body", async () => {
      for (const path of [SUBSCRIBERS, BULK, "/api/v1/nope"]) {
        const get = await ask(stage.mount, { method: "GET", path });
        const head = await ask(stage.mount, { method: "HEAD", path });
        expect([head.status, head.text]).toEqual([get.status, ""]);
        expectOwnHeaders(head);
      }
    });
  });

  it("gives no page for a Host header that is none", async () => {
    for (const host of ["Host: a b", "Host: [", "Host: x@y", "Host: x/y", "Host:"]) {
      // No URL can be made of some of these.
      const answer = await askRaw(stage.mount, rawRequest("POST", SUBSCRIBERS, [host], "{}"));
      expect([400, 401]).toContain(answer.status);
      expectRejection(answer, answer.status, answer.status === 401 ? "unauthorized" : "validation_error");
    }
  });

  it("is rejected where its backslashes would make it another path", async () => {
    for (const path of ["/api/v1/\\..\\x", "/api/v1\\subscribers", "/api/v1/subscribers\\"]) {
      const answer = await ask(stage.mount, { path, raw: "{}" });
      expect([400, 404]).toContain(answer.status);
      expectRejection(answer, answer.status, answer.status === 404 ? "not_found" : "validation_error");
    }
  });

  it("answers the absolute form of a path as it answers the path", async () => {
    const answer = await askRaw(stage.mount, rawRequest("POST", `http://localhost${SUBSCRIBERS}`, [], "{}"));
    expectRejection(answer, 401, "unauthorized");
  });
}
