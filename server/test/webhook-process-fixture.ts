// A process that only delivers webhooks, for tests that kill it: node --import tsx webhook-process-fixture.ts <options
// as JSON>

import { runWebhooks } from "../events/webhook-delivery";
import { parseNetworks } from "../kernel/ip-address";
import { openDatabase } from "../platform/db/client";
import { openJobs } from "../platform/jobs/jobs";

const { databaseUrl, authSecrets } = JSON.parse(process.argv[2] ?? "{}");
const { db } = openDatabase({ url: databaseUrl, poolSize: 4, onError: () => {} });
const log = { info: () => {}, warn: () => {}, error: () => {} };
const ctx = {
  ...{ db, authSecrets, log },
  notify: async () => {},
  webhookGuard: { allowed: parseNetworks("127.0.0.1") },
};
const jobs = openJobs({ databaseUrl, log });
await jobs.start({ webhooks: (_, closing) => runWebhooks(ctx, { closing, stays: true }) });
process.stdout.write("telling\n");
