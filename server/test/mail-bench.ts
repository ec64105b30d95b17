import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { getNewsletter } from "../accounts/newsletters";
import { addEditor } from "./editor-context";
import { type MailBench, openMailBench } from "./mail-fixture";

/** The bench of the current test file. */
export let bench: MailBench;
/** A newsletter of the current test. */
export let weekly: string;

/** @param reset whether each test starts with empty tables and without deliveries */
export function openBenchForTests({ reset = true } = {}): void {
  beforeAll(async () => {
    bench = await openMailBench();
  });
  beforeEach(async () => {
    weekly = await bench.newsletter();
  });
  if (reset) afterEach(() => bench.reset());
  afterAll(() => bench.close());
}

/** The addresses that were mailed, sorted; listed twice if mailed twice. */
export const arrived = () => bench.fake.mails.map((mail) => String(mail.to)).sort();

/** Adds a newsletter to the bench, and returns the context of its editor. */
export async function openEditor(fields: Parameters<MailBench["newsletter"]>[0] = {}) {
  const weekly = await getNewsletter(bench.db, await bench.newsletter(fields));
  return { weekly, ctx: await addEditor(bench, weekly.accountId) };
}
