import { Worker } from "node:worker_threads";

/** Asks again 20 ms after each answer, on one connection, in a thread that has nothing else to do. */
const WATCH = `
const { parentPort, workerData } = require("node:worker_threads");
const { Agent, get } = require("node:http");
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const seen = [];
let over = false;
function ask() {
  if (over) return parentPort.postMessage(seen);
  const began = performance.now();
  const end = (status) => {
    seen.push({ status, ms: performance.now() - began });
    setTimeout(ask, 20);
  };
  get(workerData + "/api/health", { agent }, (answer) => {
    answer.resume();
    answer.on("end", () => end(answer.statusCode));
  }).on("error", () => end(0));
}
parentPort.on("message", () => { over = true; });
ask();
`;

/** Polls /api/health until it is stopped. @returns statuses, and the milliseconds of each answer, the shortest first */
export function watchHealth(url: string) {
  const worker = new Worker(WATCH, { eval: true, workerData: url });
  return {
    stop: async () => {
      worker.postMessage("stop");
      const seen = await new Promise<{ status: number; ms: number }[]>((resolve) =>
        worker.once("message", resolve),
      );
      await worker.terminate();
      return {
        statuses: new Set(seen.map(({ status }) => status)),
        ms: seen.map(({ ms }) => ms).sort((a, b) => a - b),
      };
    },
  };
}
