import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { expect, test } from "vitest";
import { openApi } from "../../../e2e/resource/app";
import { startJobs } from "../../background-jobs";
import { projectRoot } from "../../kernel/project-root";
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
    const denied = ["CREATE TABLE x ()", "DROP TABLE subscribers", "TRUNCATE subscribers"];
    for (const sql of denied) await expect(run(url, sql)).rejects.toMatchObject({ code: "42501" });

    await migrate({ url, log: () => {} }); // as on each start
    const api = await openApi({}, { url, drop: async () => {} });
    test.onTestFinished(() => api.close());
    await startJobs(api.app);
    const { key } = await api.at.tenant();
    const ask = (method: string, path: string, json?: unknown) =>
      api.ask(key, method, `/api/v1/subscribers${path}`, { json });
    const created = await ask("POST", "", { email: "a@lovelace.org" });
    const { id } = created.json.data;
    const answers = [
      created,
      await ask("POST", "", { email: "p@lovelace.org", status: "pending" }),
      await ask("POST", "/bulk", [
        { email: "b@lovelace.org" },
        { email: "c@lovelace.org", status: "pending" },
      ]),
      await ask("PUT", `/${id}`, { name: "Ada" }),
      await ask("DELETE", `/${id}`),
      await ask("GET", ""),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 200, 200, 200]);
    // Without an API key, a job writes emails to the database and the log only.
    const logged = () => api.app.db.mail.count({ where: { state: "logged" } });
    await expect.poll(logged, { timeout: 20_000 }).toBe(2);
  },
);
