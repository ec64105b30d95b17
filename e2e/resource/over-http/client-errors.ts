import { describe, expect, it } from "vitest";
import {
  AlreadySubscribedError,
  ConnectionError,
  type ErrorCode,
  errorClasses,
  ForbiddenError,
  IdempotencyError,
  NotFoundError,
  RateLimitError,
  Rollcall,
  RollcallError,
  SuppressedError,
  UnauthorizedError,
  UnavailableError,
  ValidationError,
} from "../../../clients/js/index.js";
import { type RestCode, restStatuses } from "../../../server/kernel/error-codes";
import { freePort } from "../../../server/test/product";
import { documentValidator } from "../../contract/document";
import {
  at,
  atGate,
  clientOf,
  errorOf,
  fails,
  gate,
  type Loose,
  operationsOf,
  rollcall,
  tenant,
} from "./client-stage";

/** The errors of the client. */
export function errorsSuite(): void {
  describe("errors", () => {
    it("have a class for each code of the API", () => {
      // The types name the same codes, too.
      const classes = errorClasses satisfies Record<RestCode, unknown>;
      const statuses = restStatuses satisfies Record<ErrorCode, unknown>;
      expect(Object.keys(classes).toSorted()).toEqual(Object.keys(statuses).toSorted());
      const codes: string[] = operationsOf(documentValidator().document).flatMap(({ responses }) =>
        (Object.values(responses) as Loose[]).flatMap(
          ({ content }) => content["application/json"].schema.properties?.code?.enum ?? [],
        ),
      );
      expect(codes).toContain("email_suppressed");
      expect(codes.filter((code) => !(code in errorClasses))).toEqual([]);
    });

    it("say what is wrong, and where", async () => {
      const { subscribers } = rollcall;
      const ada = await subscribers.create({ email: "ada@example.org" });
      await rollcall.suppressions.create([{ email: "eve@example.org", reason: "manual" }]);

      const invalid = await errorOf(subscribers.create({ email: "nobody", name: "\u0000" }));
      expect(invalid).toMatchObject({ status: 422, field: "email", fields: ["email", "name"], items: [] });
      expect(invalid.errors.email).toEqual([expect.any(String)]);
      expect(invalid.requestId).toMatch(/^[\w.-]+$/);
      expect(invalid.docs).toMatch(/#validation_error$/);
      expect(invalid).toBeInstanceOf(ValidationError);
      expect(invalid.name).toBe("ValidationError");
      const unknown = await errorOf(subscribers.list({ staus: "active" } as object).page());
      expect(unknown).toMatchObject({ status: 400, code: "validation_error" });

      const taken = await errorOf(subscribers.create({ email: "ADA@example.org" }));
      expect(taken).toBeInstanceOf(AlreadySubscribedError);
      expect(taken.subscriber).toEqual({ id: ada.id, status: "active" });
      expect(await errorOf(subscribers.create({ email: "eve@example.org" }))).toBeInstanceOf(SuppressedError);
      expect(await errorOf(subscribers.get("nobody@example.org"))).toBeInstanceOf(NotFoundError);
    });

    it("of keys and permissions have their own classes", async () => {
      expect(await errorOf(clientOf("sk_wrong").me())).toBeInstanceOf(UnauthorizedError);
      const reader = await at.addKey(tenant.newsletterId, { permissions: ["subscribers:read"] });
      const denied = await errorOf(clientOf(reader.secret).subscribers.create({ email: "ada@example.org" }));
      expect([denied.constructor, denied.code]).toEqual([ForbiddenError, "api_module_access_disabled"]);
      const apart = await at.tenant({ apart: true });
      await at.apiAccess(apart.accountId, false);
      const off = await errorOf(clientOf(apart.key).segments.list());
      expect([off.constructor, off.code]).toEqual([ForbiddenError, "api_access_disabled"]);
      expect(() => new Rollcall({ url: "https://list.example.org", key: undefined })).toThrow(TypeError);
      expect(() => clientOf("sk_a\nb")).toThrow(TypeError);
    });

    it("of requests that no method makes are plain, with their code", async () => {
      const codeOf = async (call: Promise<unknown>) => {
        const error = await errorOf(call);
        return [error.constructor, error.code, error.status];
      };
      expect(await codeOf(rollcall.request("PATCH", "/stats"))).toEqual([
        RollcallError,
        "method_not_allowed",
        405,
      ]);
      const large = { email: "ada@example.org", name: "x".repeat(600_000) };
      expect(await codeOf(rollcall.subscribers.create(large))).toEqual([
        RollcallError,
        "payload_too_large",
        413,
      ]);
    });

    it("of a reused idempotency key, a rate limit and an outage have their own classes", async () => {
      const options = { idempotencyKey: "once" };
      await rollcall.subscribers.create({ email: "ada@example.org" }, {}, options);
      const reused = rollcall.subscribers.create({ email: "bob@example.org" }, {}, options);
      expect(await errorOf(reused)).toBeInstanceOf(IdempotencyError);
      const once = clientOf(tenant.key, { maxRetries: 0 });
      const tries = await Promise.allSettled(Array.from({ length: 8 }, () => once.me()));
      const limited = tries.flatMap((one) => (one.status === "rejected" ? [one.reason] : []))[0];
      expect(limited).toBeInstanceOf(RateLimitError);
      expect(limited).toMatchObject({ retryAfter: 1, errors: {}, field: null });
      const away = JSON.stringify({
        success: false,
        code: "service_unavailable",
        message: "The database is away.",
      });
      gate.turns = [(response) => response.writeHead(503, { "Retry-After": "3" }).end(away)];
      const unavailable = await errorOf(atGate({ maxRetries: 0 }).segments.list());
      expect(unavailable).toBeInstanceOf(UnavailableError);
      expect(unavailable).toMatchObject({ retryAfter: 3, message: "The database is away." });
    });

    it("of responses that are not Rollcall's name the status, or the place of a redirect", async () => {
      gate.turns = [fails(418), fails(200), fails(301, { Location: "https://list.example.org/" })];
      const client = atGate({ maxRetries: 0 });
      for (const expected of [
        "418 is not Rollcall's: <h1>",
        "200 is not Rollcall's",
        "https://list.example.org/",
      ]) {
        const error = await errorOf(client.segments.list());
        expect([error.constructor, error.code]).toEqual([RollcallError, "unexpected_response"]);
        expect(error.message).toContain(expected);
      }
      const nowhere = clientOf(tenant.key, { url: `http://127.0.0.1:${await freePort()}`, maxRetries: 0 });
      const error = await errorOf(nowhere.segments.list());
      expect([error.constructor, error.code, error.status]).toEqual([
        ConnectionError,
        "connection_failed",
        0,
      ]);
      expect(error.message).toContain("ECONNREFUSED");
    });
  });
}
