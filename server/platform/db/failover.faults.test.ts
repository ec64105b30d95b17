import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { expect, test } from "vitest";
import { createApp } from "../../app";
import { loadConfig } from "../../config";
import { makeLog } from "../../kernel/log";
import { setUp } from "../../newsletters/set-up";
import { handleRest } from "../../rest/handler";
import { openDatabaseLine } from "../../test/database-line";
import { ownMajor } from "../../test/debian-postgres";
import { startStandbyPair } from "../../test/standby-pair";
import { migrate } from "./migrate";

if (!ownMajor) console.log("No PostgreSQL of the machine's own: a failover was not tried.");

type Told = { emails: string[]; status: number; message: string };

test.skipIf(!ownMajor)(
  "failover to a synchronous standby under load loses no acknowledged change and leaves no partial bulk",
  async (test) => {
    const pair = await startStandbyPair();
    test.onTestFinished(pair.stop);
    const line = await openDatabaseLine(pair.primary);
    test.onTestFinished(line.close);
    await migrate({ url: line.url, log: () => {} });
    const config = loadConfig({
      DATABASE_URL: line.url,
      LOG_LEVEL: "silent",
      RATE_LIMIT: "off",
      RATE_LIMIT_BULK: "off",
      RATE_LIMIT_ME: "off",
    });
    const app = await createApp(
      config,
      line.url,
      ["a secret for tests that is long enough"],
      makeLog(config),
    );
    test.onTestFinished(() => app.close());
    const owner = { email: "ada@lovelace.org", password: "correct horse battery" };
    const { key } = await setUp(
      { db: app.db, actor: { kind: "operator" }, requestId: "test" },
      { account: "Lovelace", newsletter: "Notes", ...owner },
    );

    const told: Told[] = [];
    let over = false;
    async function client(number: number): Promise<void> {
      for (let n = 0; !over; n++) {
        const emails = Array.from({ length: n % 3 ? 1 : 10 }, (_, i) => `c${number}-${n}-${i}@lovelace.org`);
        const json = emails.map((email, i) => ({ email, status: i % 2 ? "pending" : "active" }));
        const body = JSON.stringify(json.length > 1 ? json : json[0]);
        const headers = {
          Authorization: `Bearer ${key.secret}`,
          "Content-Type": "application/json",
          "Content-Length": String(body.length),
        };
        const path = json.length > 1 ? "subscribers/bulk" : "subscribers";
        const answer = await handleRest(
          app,
          new Request(`http://localhost/api/v1/${path}`, { method: "POST", body, headers }),
          null,
        );
        const { message = "" } = (await answer.json()) as { message?: string };
        told.push({ emails, status: answer.status, message });
        if (answer.status !== 201) await sleep(20);
      }
    }
    const clients = Promise.all(Array.from({ length: 12 }, (_, i) => client(i)));
    const acknowledged = () => told.filter(({ status }) => status === 201).length;
    await expect.poll(acknowledged, { timeout: 30_000 }).toBeGreaterThan(500);
    await pair.kill();
    const before = acknowledged();
    await pair.promote();
    line.cut();
    line.lead(pair.standby);
    line.fix();
    await expect.poll(acknowledged, { timeout: 30_000 }).toBeGreaterThan(before + 200);
    over = true;
    await clients;

    const reader = new Client({ connectionString: pair.standby });
    await reader.connect();
    const { rows } = await reader.query<{ email: string }>("SELECT email FROM subscribers");
    await reader.end();
    const there = new Set(rows.map(({ email }) => email));
    const found = ({ emails }: Told) => emails.filter((email) => there.has(email)).length;
    expect(told.filter((one) => one.status === 201 && found(one) < one.emails.length)).toEqual([]);
    expect(told.filter((one) => found(one) > 0 && found(one) < one.emails.length)).toEqual([]);
    expect(told.filter((one) => /Nothing was changed/.test(one.message) && found(one) > 0)).toEqual([]);
    expect([...new Set(told.map(({ status }) => status))].sort()).toEqual([201, 503]);
  },
);
