import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { expect, test } from "vitest";
import { createApp } from "../../app";
import { startJobs } from "../../background-jobs";
import { loadConfig } from "../../config";
import { makeLog } from "../../kernel/log";
import { projectRoot } from "../../kernel/project-root";
import { setUp } from "../../newsletters/set-up";
import { handleRest } from "../../rest/handler";
import { ownMajor, startDebianPostgres } from "../../test/debian-postgres";
import { prepareJobs } from "../jobs/jobs";
import { migrate } from "./migrate";

if (!ownMajor)
  console.log("No PostgreSQL of the machine's own: the least rights and the older version were not tried.");

/** The rights listed in the operators' guide. */
const guide = readFileSync(join(projectRoot(), "server/docs/operators.md"), "utf8");
const rights = /```sql\n(CREATE ROLE rollcall_app[^`]*)```/.exec(guide)?.[1] as string;

async function run(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

test.skipIf(!ownMajor)(
  "a role with the rights from the guide serves requests and runs jobs, on an older PostgreSQL",
  async (test) => {
    const cluster = await startDebianPostgres();
    test.onTestFinished(cluster.stop);
    const as = (role: string) => Object.assign(new URL(cluster.url), { username: role }).href;
    await run(as("postgres"), "ALTER ROLE owner CREATEROLE");
    await migrate({ url: cluster.url, log: () => {} });
    await prepareJobs(cluster.url);
    await run(cluster.url, rights);
    const url = as("rollcall_app");
    const denied = [
      "CREATE TABLE x ()",
      "DROP TABLE subscribers",
      "TRUNCATE subscribers",
      "ALTER TABLE mails ADD x int",
    ];
    for (const sql of denied) await expect(run(url, sql)).rejects.toMatchObject({ code: "42501" });

    await migrate({ url, log: () => {} }); // as on each start
    const config = loadConfig({
      DATABASE_URL: url,
      LOG_LEVEL: "silent",
      RATE_LIMIT: "off",
      RATE_LIMIT_BULK: "off",
      RATE_LIMIT_ME: "off",
    });
    const app = await createApp(config, url, ["a secret for tests that is long enough"], makeLog(config));
    test.onTestFinished(() => app.close());
    await startJobs(app);
    const owner = { email: "ada@lovelace.org", password: "correct horse battery" };
    const { key } = await setUp(
      { db: app.db, actor: { kind: "operator" }, requestId: "test" },
      { account: "Lovelace", newsletter: "Notes", ...owner },
    );
    const ask = async (method: string, path: string, json?: unknown) => {
      const body = json === undefined ? null : JSON.stringify(json);
      const headers = {
        Authorization: `Bearer ${key.secret}`,
        ...(body && { "Content-Type": "application/json", "Content-Length": String(body.length) }),
      };
      const answer = await handleRest(
        app,
        new Request(`http://localhost:3000/api/v1/${path}`, { method, body, headers }),
        null,
      );
      return {
        status: answer.status,
        json: (await answer.json()) as { data: { id: string; created: unknown[] }; message?: string },
      };
    };
    const created = await ask("POST", "subscribers", { email: "a@lovelace.org" });
    const { id } = created.json.data;
    const answers = [
      created,
      await ask("POST", "subscribers", { email: "p@lovelace.org", status: "pending" }),
      await ask("POST", "subscribers/bulk", [
        { email: "b@lovelace.org" },
        { email: "c@lovelace.org", status: "pending" },
      ]),
      await ask("PUT", `subscribers/${id}`, { name: "Ada" }),
      await ask("DELETE", `subscribers/${id}`),
      await ask("GET", "subscribers"),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 200, 200, 200]);
    // Without an API key, a job writes emails to the database and the log only.
    const logged = () => app.db.mail.count({ where: { state: "logged" } });
    await expect.poll(logged, { timeout: 20_000 }).toBe(2);
  },
);
