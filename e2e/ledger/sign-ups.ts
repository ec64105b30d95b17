import { setTimeout as sleep } from "node:timers/promises";
import { ListUpload } from "../../components/imports/reading/upload-list";
import { ask } from "../contract/client";
import { staffAt } from "../fixtures/staff";
import { mountOf, openSite, until } from "../process/site";
import { add, countRound, type GoesOn, most, type Tally } from "./tally";

const signUps = 5;
const mostWaitMs = 5_000;

/** Five people sign up while the mails of a large import leave, at the provider's two requests a second. */
export async function playSignUps(tally: Tally, _random: () => number, goesOn: GoesOn): Promise<void> {
  const size = goesOn() ? 100_000 : 3_000;
  const site = await openSite({ database: "own" });
  const { fake, newsletterId } = site;
  try {
    await site.sql("UPDATE newsletters SET send_delay_seconds = 0");
    const { trpc, progress } = await staffAt(site.first.url, "ada@lovelace.org", "correct horse battery");
    const rows = Array.from({ length: size }, (_, i) => ({
      line: i + 1,
      email: `i${i}@list${i % 50}.example`,
      name: "",
    }));
    const plan = { rows, rejected: [], fileName: null, statusRule: "pending" as const };
    const { importId, digest } = await new ListUpload(trpc.imports, { newsletterId }, plan).plan();
    const consent = { source: "the fair", wording: "", people: size };
    await trpc.imports.commit.mutate({ newsletterId, importId, digest, consent });
    for await (const one of progress(newsletterId, importId)) if (one.state === "done") break;
    await until("the import's first mails", () => fake.mails.some(({ to }) => String(to).includes("list")));
    for (let i = 0; i < signUps; i++) {
      const email = `visitor${i}@lovelace.org`;
      const began = performance.now();
      const json = { email, status: "pending" };
      const { status } = await ask(mountOf(site.first), { key: site.key, json });
      if (status === 201) tally.acknowledged++;
      await until("the sign-up's mail", () => fake.mails.some(({ to }) => String(to) === email), 60);
      const ms = performance.now() - began;
      most(tally, "longest wait for a sign-up's mail, in seconds", ms / 1000);
      if (ms > mostWaitMs) tally.stranded.push(`${email} waited ${ms} ms`);
      await countRound(tally, "a sign-up beside an import", site);
      await sleep(1_000);
    }
    add(tally, "people of the import", size);
    const sent = fake.mails.length;
    if (sent >= size) tally.stranded.push("the import's mails had all left before the sign-ups");
    add(tally, "mails of the import that had left by then", sent - signUps);
  } finally {
    await site.close();
  }
}
