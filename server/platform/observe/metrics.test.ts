import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { createKey } from "../../api-keys/api-keys";
import { projectRoot } from "../../kernel/project-root";
import { openDelivery } from "../../mail/delivery/delivery";
import { operations } from "../../rest/schema/operations";
import { opened, openHttpApp, openHttpAppForTests } from "../../test/http-app";
import { prepareJobs } from "../jobs/jobs";
import { openMetrics } from "./metrics";

const textOf = (name: string) => readFileSync(join(projectRoot(), name), "utf8");

openHttpAppForTests({ DATA_DIR: projectRoot() });
let key: string;
beforeAll(async () => {
  const { app, newsletterId } = opened;
  const ctx = { db: app.db, actor: { kind: "operator" } as const, requestId: "test" };
  await prepareJobs(app.databaseUrl);
  key = (await createKey(ctx, { newsletterId, key: { name: "Shop" } })).secret;
  app.delivery = openDelivery({ ...app, links: app.links as never, applyReports: async () => {} });
});

const scrape = async () => (await fetch(`${opened.origin}/metrics`)).text();
const create = (body: unknown, path = "") =>
  fetch(`${opened.origin}/api/v1/subscribers${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

describe("/metrics", () => {
  it("counts requests and their durations by operation and status class", async () => {
    expect((await create({ email: "ada@lovelace.org", status: "pending" })).status).toBe(201);
    expect((await create({ email: "no address" })).status).toBe(422);
    await fetch(`${opened.origin}/confirm/${"x".repeat(40)}`);
    await fetch(`${opened.origin}/api/v1/ada@lovelace.org`);
    const text = await scrape();
    const count = (operation: string, status: string) =>
      `rollcall_request_duration_seconds_count{operation="${operation}",status="${status}"} 1\n`;
    expect(text).toContain(count("createSubscriber", "2xx"));
    expect(text).toContain(count("createSubscriber", "4xx"));
    expect(text).toContain(count("confirm", "4xx"));
    expect(text).toContain(count("unknown", "4xx"));
    // The confirmation email of the pending subscriber.
    expect(text).toMatch(/^rollcall_jobs\{queue="[a-z-]+",state="(due|scheduled)"\} [1-9]/m);
  });

  it("contains no address, no id and only known label values", async () => {
    const text = await scrape();
    expect(text).not.toMatch(/@|[0-9a-f]{8}-[0-9a-f]{4}|lovelace|Notes|Shop/);
    const named = new Set(Array.from(text.matchAll(/operation="([^"]+)"/g), ([, name]) => name as string));
    const others = ["unknown", "confirm", "metrics", "health"];
    const known = [...Object.keys(operations), ...others];
    expect([...named].filter((name) => !known.includes(name))).toEqual([]);
  });

  it("reports the state of the database, the pool, the disk and delivery", async () => {
    const { app } = opened;
    await create([{ email: "grace@navy.mil", status: "pending" }, { email: "alan@bletchley.org" }], "/bulk");
    // New metrics, because the first test's figures may be cached for 15 s.
    const text = await openMetrics().text(app);
    const value = (name: string) =>
      Number(new RegExp(`^${name.replace(/[{}]/g, "\\$&")} (\\S+)$`, "m").exec(text)?.[1]);
    expect(value("rollcall_database_up")).toBe(1);
    expect(value("rollcall_database_size_bytes")).toBeGreaterThan(1e6);
    expect(value('rollcall_subscribers{status="pending"}')).toBe(2);
    expect(value('rollcall_subscribers{status="active"}')).toBe(1);
    expect(value('rollcall_mails{state="waiting"}')).toBe(2);
    expect(value('rollcall_mails_oldest_seconds{state="waiting"}')).toBeGreaterThan(0);
    expect(value('rollcall_jobs{queue="mail-batch",state="due"}')).toBeGreaterThan(0);
    expect(value('rollcall_jobs_oldest_due_seconds{queue="mail-batch"}')).toBeGreaterThan(0);
    expect(
      value('rollcall_pool_connections{state="idle"}') + value('rollcall_pool_connections{state="busy"}'),
    ).toBe(app.pool.totalCount);
    expect(value("rollcall_delivery_issue")).toBe(0);
    expect(value("rollcall_mails_paused")).toBe(0);
    // Without a backup there must be no age, because 0 would look like a fresh backup.
    expect(value("rollcall_backup_age_seconds")).toBeNaN();
    await app.db.$executeRaw`UPDATE send_pace SET paused_at = now(), paused_by = 'operator'`;
    await app.db.$executeRaw`UPDATE last_backup SET made_at = now() - interval '1 hour'`;
    const later = await openMetrics().text(app);
    expect(later).toMatch(/^rollcall_mails_paused 1$/m);
    expect(later).toMatch(/^rollcall_backup_age_seconds 36\d\d/m);
    expect(value('rollcall_limiter_degraded{store="memory"}')).toBe(0);
    expect(value("rollcall_disk_free_bytes")).toBeGreaterThan(0);
    expect(value("process_resident_memory_bytes")).toBeGreaterThan(1e6);
  });

  it("has the same metrics as the guide and the Grafana dashboard", async () => {
    const text = await openMetrics().text(opened.app);
    // A histogram without a request has no series yet, but it has a type line.
    const ours = Array.from(text.matchAll(/^# TYPE (\w+) /gm), ([, name]) => name as string);
    // Only the guide's chapters about metrics. Other chapters contain names of database roles.
    const namedIn = (file: string) => {
      const about = textOf(file).split("## Metrics").at(-1) as string;
      const names = about.matchAll(/\b(rollcall|process|nodejs)_[a-z0-9_]+/g);
      return new Set(Array.from(names, ([name]) => name));
    };
    for (const file of ["server/docs/operators.md", "deploy/grafana.json"]) {
      const named = [...namedIn(file)].map((name) => name.replace(/(?<=seconds)_(?:bucket|count|sum)$/, ""));
      expect(named.length).toBeGreaterThan(10);
      expect(
        named.filter((name) => !ours.includes(name)),
        file,
      ).toEqual([]);
    }
    const inGuide = namedIn("server/docs/operators.md");
    expect(ours.filter((name) => name.startsWith("rollcall_") && !inGuide.has(name))).toEqual([]);
  });

  it("queries the database at most once in 15 s, and omits its figures while it is unreachable", async () => {
    const { app } = opened;
    let asked = 0;
    const db = (isAway: boolean) =>
      new Proxy(app.db, {
        get(target, name, receiver) {
          if (name !== "$queryRaw") return Reflect.get(target, name, receiver);
          asked++;
          return isAway ? () => Promise.reject(new Error("away")) : target.$queryRaw.bind(target);
        },
      });
    const metrics = openMetrics();
    for (let i = 0; i < 5; i++) await metrics.text({ ...app, db: db(false) });
    expect(asked).toBe(4);
    const text = await openMetrics().text({ ...app, db: db(true) });
    expect(text).toContain("rollcall_database_up 0\n");
    expect(text).not.toMatch(/^rollcall_(?:mails|database_size_bytes|subscribers)[ {]/m);
  });

  it("is open to this machine only, or with a token to callers that send it", async () => {
    const url = `${opened.origin}/metrics`;
    const forwarded = await fetch(url, { headers: { "X-Forwarded-For": "203.0.113.9" } });
    expect(forwarded.status).toBe(403);
    expect(await forwarded.text()).not.toContain("rollcall_");
    expect((await fetch(url, { method: "POST" })).status).toBe(405);
    const token = "a token that shows how each part does";
    const withToken = await openHttpApp({ HEALTH_TOKEN: token });
    try {
      const ask = (headers: Record<string, string>) => fetch(`${withToken.origin}/metrics`, { headers });
      expect((await ask({})).status).toBe(401);
      expect((await ask({ Authorization: "Bearer another" })).status).toBe(401);
      const shown = await ask({ Authorization: `Bearer ${token}`, "X-Forwarded-For": "203.0.113.9" });
      expect(shown.status).toBe(200);
      expect(shown.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
      expect(shown.headers.get("cache-control")).toBe("no-store");
    } finally {
      await withToken.close();
    }
  });
});
