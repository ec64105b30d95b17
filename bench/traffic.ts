/**
 * Requests to the API at a quiet pace, as a process of its own: singles and bulks, and how long each waited for its answer.
 * Takes a TrafficOrder over IPC, goes on until any other message comes, and answers with a TrafficResult.
 */
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { quantile } from "./quantile";

export type TrafficOrder = { url: string; key: string; name: string };
export type Waited = { answers: number; rejected: number; p50Ms: number; p99Ms: number; mostMs: number };
export type TrafficResult = { singles: Waited; bulks: Waited };

type Answer = { tookMs: number; status: number };

let over = false;

function summary(answers: Answer[]): Waited {
  const took = answers.map((one) => one.tookMs).sort((a, b) => a - b);
  return {
    answers: answers.length,
    rejected: answers.filter((one) => one.status !== 201).length,
    p50Ms: quantile(took, 0.5),
    p99Ms: quantile(took, 0.99),
    mostMs: quantile(took, 1),
  };
}

async function run({ url, key, name }: TrafficOrder): Promise<TrafficResult> {
  const singles: Answer[] = [];
  const bulks: Answer[] = [];
  let count = 0;
  const person = () => ({ email: `${name}${count++}@traffic.org`, name: "Ada Lovelace" });
  const ask = async (path: string, body: unknown, into: Answer[]) => {
    const began = performance.now();
    const answer = await fetch(`${url}/api/v1/subscribers${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    await answer.arrayBuffer();
    into.push({ tookMs: performance.now() - began, status: answer.status });
  };
  const loop = async (pauseMs: number, once: () => Promise<void>) => {
    while (!over) {
      await once();
      await sleep(pauseMs);
    }
  };
  await Promise.all([
    ...Array.from({ length: 4 }, () => loop(20, () => ask("", person(), singles))),
    loop(100, () => ask("/bulk", Array.from({ length: 100 }, person), bulks)),
  ]);
  return { singles: summary(singles), bulks: summary(bulks) };
}

process.on("message", (message: TrafficOrder | "stop") => {
  over = message === "stop";
  if (message !== "stop") run(message).then((result) => process.send?.(result));
});
process.on("SIGINT", () => {}); // Ctrl-C reaches the whole group; the parent ends this process in its own order.
process.on("disconnect", () => process.exit(0));
