import { describe, expect, it } from "vitest";
import { ask, askRaw, BULK, expectOwnHeaders, expectRejection, rawRequest, SUBSCRIBERS } from "./client";
import { create, type Stage } from "./stage";

/** Unknown paths, sent as they are written. A path with dot segments may be read as the path it leads to. */
const NOWHERE = [
  "/api/v1",
  "/api/v1/?x=1",
  "/api/v1/Subscribers",
  "/api/v1/subscribers//",
  "/api/v1/subscribers/bulk/x",
  "/api/v1//subscribers",
  "/api/v1/subscribers%2Fbulk",
  "/api/v1/%73ubscribers",
  "/api/v1/subscribers;x=1",
  "/api/v1/%E0%A4%A",
  "/api/v1/__proto__",
  "/api/v1/_next/data",
  "/api/v1/[[...path]]",
  "/api/v1/..%2f..%2fetc%2fpasswd",
  "/api/v1/../../etc/passwd",
  "/api/v1/./nope",
  "/api/v1/x".padEnd(4_000, "x"),
];

/** Paths of an unknown person's address. */
const STRANGERS = ["nobody@example.org", "nobody%40example.org", "@", "a@b@c", "%40%E0%A4%A"];

/** contract.md §3: answers at unknown paths and to unknown verbs. */
export function pathsSuite(stage: Stage): void {
  it.each(NOWHERE)("%s is 404 in the envelope, with a key and without", async (path) => {
    const { key } = await stage.at.tenant();
    for (const method of ["GET", "POST", "DELETE", "PATCH", "OPTIONS", "PROPFIND"])
      for (const question of [{ key }, { raw: "{}" }])
        expectRejection(await ask(stage.mount, { method, path, ...question }), 404, "not_found");
  });

  it("a slash at the end makes no other path", async () => {
    const { key } = await stage.at.tenant();
    const made = await create(stage, key, { email: "ada@example.org" }, { path: `${SUBSCRIBERS}/` });
    expect(made.status).toBe(201);
    const path = `${SUBSCRIBERS}/${made.json.data.id}/?include=tags`;
    expect((await ask(stage.mount, { method: "GET", path, key })).json.data.id).toBe(made.json.data.id);
  });

  it("the email address stands for the id, in any spelling, and not for another newsletter's person", async () => {
    const { key } = await stage.at.tenant();
    const other = await stage.at.tenant();
    const { data } = (await create(stage, key, { email: "Ada+x@b\u00fccher.example" })).json;
    const same = [
      "Ada+x@b%C3%BCcher.example",
      "ada%2Bx%40xn--bcher-kva.example",
      "ADA%2BX@B%C3%BCCHER.example",
    ];
    for (const address of same) {
      const path = `${SUBSCRIBERS}/${address}`;
      expect((await ask(stage.mount, { method: "GET", path, key })).json.data).toEqual(data);
      expectRejection(await ask(stage.mount, { method: "GET", path, key: other.key }), 404, "not_found");
    }
    const [address] = same;
    const put = { method: "PUT", path: `${SUBSCRIBERS}/${address}`, key, json: { name: "Ada" } };
    expect((await ask(stage.mount, put)).json.data.name).toBe("Ada");
    const patch = { ...put, method: "PATCH", json: { name: "Ada King" } };
    expect((await ask(stage.mount, patch)).json.data.name).toBe("Ada King");
    const activity = { method: "GET", path: `${SUBSCRIBERS}/${address}/activity`, key };
    expect((await ask(stage.mount, activity)).status).toBe(200);
    const gone = await ask(stage.mount, { method: "DELETE", path: `${SUBSCRIBERS}/${address}`, key });
    expect(gone.json.data).toMatchObject({ id: data.id, status: "unsubscribed" });
    for (const stranger of STRANGERS)
      expectRejection(
        await ask(stage.mount, { method: "GET", path: `${SUBSCRIBERS}/${stranger}`, key }),
        404,
        "not_found",
      );
  });

  it("a path that only begins like the API's is not the API's", async () => {
    const { headers } = await ask(stage.mount, { method: "GET", path: "/api/v1x" });
    expect(headers["x-request-id"]).toBeUndefined();
  });

  describe("an unknown verb", () => {
    it("is 405 with Allow, in the envelope, with a key and without", async () => {
      const { key } = await stage.at.tenant();
      for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "PURGE"])
        for (const path of [SUBSCRIBERS, BULK, `${SUBSCRIBERS}?dry_run=true`])
          for (const question of [
            { method, path, key },
            { method, path },
          ]) {
            const answer = await ask(stage.mount, question);
            expectRejection(answer, 405, "method_not_allowed");
            const allowed = answer.headers.allow?.split(", ");
            expect(allowed).toContain("POST");
            expect(allowed).not.toContain(method);
          }
    });

    it("includes a verb in lower case", async () => {
      const { key } = await stage.at.tenant();
      const request = rawRequest("post", SUBSCRIBERS, [`Authorization: Bearer ${key}`], "{}");
      expect([400, 405]).toContain((await askRaw(stage.mount, request)).status);
    });

    it("does not include HEAD: it answers like GET, without a body", async () => {
      for (const path of [SUBSCRIBERS, BULK, "/api/v1/nope"]) {
        const get = await ask(stage.mount, { method: "GET", path });
        const head = await ask(stage.mount, { method: "HEAD", path });
        expect([head.status, head.text]).toEqual([get.status, ""]);
        expectOwnHeaders(head);
      }
    });
  });

  it("an invalid Host header gets no page", async () => {
    for (const host of ["Host: a b", "Host: [", "Host: x@y", "Host: x/y", "Host:"]) {
      // Some of these make no URL.
      const answer = await askRaw(stage.mount, rawRequest("POST", SUBSCRIBERS, [host], "{}"));
      expect([400, 401]).toContain(answer.status);
      expectRejection(answer, answer.status, answer.status === 401 ? "unauthorized" : "validation_error");
    }
  });

  it("backslashes make no other path", async () => {
    for (const path of ["/api/v1/\\..\\x", "/api/v1\\subscribers", "/api/v1/subscribers\\"]) {
      const answer = await ask(stage.mount, { path, raw: "{}" });
      expect([400, 404]).toContain(answer.status);
      expectRejection(answer, answer.status, answer.status === 404 ? "not_found" : "validation_error");
    }
  });

  it("the absolute form of a path is answered like the path", async () => {
    const answer = await askRaw(stage.mount, rawRequest("POST", `http://localhost${SUBSCRIBERS}`, [], "{}"));
    expectRejection(answer, 401, "unauthorized");
  });
}
