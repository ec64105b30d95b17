// Loaded into the server by NODE_OPTIONS: at SIGUSR2 it collects garbage and writes how much memory is in use then.
const { isMainThread } = require("node:worker_threads");

if (isMainThread) {
  process.on("SIGUSR2", () => {
    globalThis.gc();
    console.log(`memory after collection: ${JSON.stringify(process.memoryUsage())}`);
  });
}
