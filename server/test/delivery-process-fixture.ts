// A process that only delivers emails, for tests that kill it: node --import tsx delivery-process-fixture.ts <options
// as JSON>
import { openDatabase } from "../platform/db/client";
import { startDelivery } from "./delivery-fixture";
import { links, mailedBy } from "./mail-fixture-values";

const { databaseUrl, transport, tuning } = JSON.parse(process.argv[2] ?? "{}");
const { db } = openDatabase({ url: databaseUrl, poolSize: 4, onError: () => {} });
const log = { info: () => {}, warn: () => {}, error: () => {} };
await startDelivery({ db, databaseUrl, mailService: mailedBy(transport), links, log, tuning });
process.stdout.write("delivering\n");
