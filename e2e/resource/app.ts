// e2e/resource: the REST resource held to contract.md, in this process over a real PostgreSQL; over-http against the built product.
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { createApp } from "../../server/app";
import { loadConfig } from "../../server/config";
import { makeLog } from "../../server/kernel/log";
import { handleRest } from "../../server/rest/handler";
import { createTestDatabase, type TestDatabase } from "../../server/test/database";
import type { Answer } from "../contract/client";
import { documentValidator } from "../contract/document";
import { openInstallation, type Tenant } from "../contract/installation";
import { NO_LIMITS } from "../contract/start";

/** A request; `json` becomes the body. */
export type Asking = { headers?: Record<string, string>; json?: unknown; raw?: string };

/**
 * The API without HTTP: an app on a database of its own.
 * @param settings over those without any limits
 * @param given a migrated database to use instead
 */
export async function openApi(settings: Record<string, string> = {}, given?: TestDatabase) {
  const database = given ?? (await createTestDatabase());
  const config = loadConfig({ ...NO_LIMITS, LOG_LEVEL: "silent", ...settings });
  const app = await createApp(config, database.url, ["a secret of more than 32 characters"], makeLog(config));
  await app.limiter.ready;
  const at = await openInstallation(database.url);
  const validate = documentValidator();
  return {
    app,
    at,
    databaseUrl: database.url,

    /** Sends a request, and checks the answer against the OpenAPI document. */
    async ask(
      key: string | undefined,
      method: string,
      path: string,
      { headers, json, raw }: Asking = {},
    ): Promise<Answer> {
      const body = raw ?? (json === undefined ? undefined : JSON.stringify(json));
      const request = new Request(`http://localhost:3000${path}`, {
        method,
        ...(body !== undefined && { body }),
        headers: {
          ...(key !== undefined && { Authorization: `Bearer ${key}` }),
          ...(body !== undefined && {
            "Content-Type": "application/json",
            "Content-Length": String(Buffer.byteLength(body)),
          }),
          ...headers,
        },
      });
      const response = await handleRest(app, request, "127.0.0.1");
      const text = await response.text();
      let read: unknown;
      try {
        read = JSON.parse(text);
      } catch {}
      const answer = {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text,
        json: read,
      };
      const faults = validate.faultsOf({ method, path }, answer);
      if (faults.length > 0) expect({ asked: `${method} ${path}`, faults }).toEqual({ faults: [] });
      return answer;
    },

    async close() {
      await at.close();
      await app.close();
      await database.drop();
    },
  };
}

type Api = Awaited<ReturnType<typeof openApi>>;

export const SUBSCRIBERS = "/api/v1/subscribers";
export const SUPPRESSIONS = "/api/v1/suppressions";

/** The API and the newsletter of the current test. */
export let api: Api;
export let tenant: Tenant;

export async function changeTenant(): Promise<void> {
  tenant = await api.at.tenant();
}

/** Opens an API for the current test file, and a newsletter for each test. */
export function openApiForTests(settings?: Record<string, string>, open = openApi): void {
  beforeAll(async () => {
    api = await open(settings);
  });
  beforeEach(changeTenant);
  afterAll(() => api.close());
}

/** Sends a request with the newsletter's key. */
export const ask = (method: string, path: string, json?: unknown, headers: Record<string, string> = {}) =>
  api.ask(tenant.key, method, path, { json, headers });
