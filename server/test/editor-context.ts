import type { Database } from "../db/client";
import { openInsertQueue } from "../db/insert-queue";
import { newId } from "../domain/ids";
import { openJobs } from "../jobs/jobs";
import { openOutbox } from "../mail/outbox";
import type { Ctx } from "../services/context";
import { addNewsletter } from "./linked-person";

/** A new newsletter, and what its editor calls services with. @param url of the database, for its jobs */
export async function openEditorContext({ db }: Database, url: string) {
  const newsletter = await addNewsletter(db);
  const jobs = openJobs({ databaseUrl: url, log: { warn() {}, error() {} } });
  const actor = { kind: "staff", id: newId(), accountId: newsletter.accountId, role: "editor" } as const;
  const ctx: Ctx = {
    db,
    queue: openInsertQueue(db),
    jobs,
    outbox: openOutbox(jobs),
    actor,
    requestId: "test",
  };
  return { newsletter, ctx };
}
