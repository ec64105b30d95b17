import { afterAll, afterEach, beforeAll } from "vitest";
import { openInsertQueue } from "../db/insert-queue";
import { newId } from "../domain/ids";
import type { Ctx } from "../services/context";
import { getNewsletter } from "../services/newsletters";
import { type MailBench, openMailBench } from "./mail-fixture";

/** The bench of the file whose tests run. */
export let bench: MailBench;

/** @param reset whether each test begins with empty tables and without deliveries */
export function openBenchForTests({ reset = true } = {}): void {
  beforeAll(async () => {
    bench = await openMailBench();
  });
  if (reset) afterEach(() => bench.reset());
  afterAll(() => bench.close());
}

/** A newsletter of the bench, and what one of its editors, Robin, calls services with. */
export async function openEditor(fields: Parameters<MailBench["newsletter"]>[0] = {}) {
  const { db, jobs, outbox } = bench;
  const weekly = await getNewsletter(db, await bench.newsletter(fields));
  const { accountId } = weekly;
  const id = newId();
  await db.staffMember.create({
    data: { id, accountId, email: `${id}@x.org`, name: "Robin", role: "editor" },
  });
  const actor = { kind: "staff", id, accountId, role: "editor", address: "192.0.2.7" } as const;
  const ctx: Ctx = { db, jobs, outbox, queue: openInsertQueue(db), actor, requestId: "test" };
  return { weekly, ctx };
}
