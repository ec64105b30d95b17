// A process that only works through runs, for tests that kill it: node --import tsx bulk-action-process-fixture.ts URL
import { openDatabase } from "../db/client";
import { openInsertQueue } from "../db/insert-queue";
import { openOutbox } from "../mail/outbox";
import { startBulkActions } from "../services/bulk-action-worker";

const url = process.argv[2] as string;
const { db } = openDatabase({ url, poolSize: 3, onError: () => {} });
const log = { warn: () => {} };
startBulkActions({ db, queue: openInsertQueue(db), outbox: openOutbox({ databaseUrl: url, log }) }, log);
process.stdout.write("working\n");
// Its timers alone would not keep it.
setInterval(() => {}, 60_000);
