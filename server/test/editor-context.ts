import { beforeEach } from "vitest";
import { type OfNewsletter, ofNewsletter } from "../accounts/context";
import { newId } from "../kernel/ids";
import { openOutbox } from "../mail/outbox";
import type { Database } from "../platform/db/client";
import { openJobs } from "../platform/jobs/jobs";
import type { Ctx } from "../subscribers/context";
import { openInsertQueue } from "../subscribers/queries/insert-queue";
import { addNewsletter } from "./linked-person";
import { base, database, openDatabaseForTests } from "./open-database";

/** Adds Robin, an editor of an account. @returns the context for service calls by Robin */
export async function addEditor(
  { db, jobs, outbox }: Pick<Ctx, "db" | "jobs" | "outbox">,
  accountId: string,
): Promise<Ctx> {
  const id = newId();
  await db.staffMember.create({
    data: { id, accountId, email: `${id}@x.org`, name: "Robin", role: "editor" },
  });
  const actor = { kind: "staff", id, accountId, role: "editor", address: "192.0.2.7" } as const;
  return { db, jobs, outbox, queue: openInsertQueue(db), actor, requestId: "test" };
}

/** Adds a newsletter, and returns the context of its editor. @param url of the database, for its jobs */
export async function openEditorContext({ db }: Database, url: string) {
  const newsletter = await addNewsletter(db);
  const jobs = openJobs({ databaseUrl: url, log: { warn() {}, error() {} } });
  const ctx = await addEditor({ db, jobs, outbox: openOutbox(jobs) }, newsletter.accountId);
  return { newsletter, ctx };
}

/** The newsletter of the current test, and the context of its editor. */
export let newsletter: { id: string; accountId: string };
export let of: OfNewsletter;
export let ctx: Ctx;

/** Opens a database for the tests of this file, and a newsletter with an editor for each test. */
export function openEditorForTests(): void {
  openDatabaseForTests();
  beforeEach(async () => {
    ({ newsletter, ctx } = await openEditorContext(database, base.url));
    of = ofNewsletter(newsletter);
  });
}
