/**
 * Loaded into the product with `--import` when the bench profiles it: SIGUSR2 begins a CPU profile, the next one ends
 * it and writes it to the folder named in this module's own address (`?dir=`). `--cpu-prof` would count start-up too.
 */
import { renameSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector";
import { join } from "node:path";
import { isMainThread } from "node:worker_threads";

const samplingMicros = 500;

const dir = new URL(import.meta.url).searchParams.get("dir");
if (!dir) throw new Error("the profile hook needs ?dir=");

if (isMainThread) {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.setSamplingInterval", { interval: samplingMicros });

  let running = false;
  let count = 0;
  process.on("SIGUSR2", () => {
    if (running) {
      session.post("Profiler.stop", (error, stopped) => {
        if (error) throw error;
        const file = join(dir, `${process.pid}-${count}.cpuprofile`);
        writeFileSync(`${file}.part`, JSON.stringify(stopped.profile));
        renameSync(`${file}.part`, file);
        count += 1;
      });
    } else {
      session.post("Profiler.start");
    }
    running = !running;
  });
}
