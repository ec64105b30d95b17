import { Worker } from "node:worker_threads";
import { AppError } from "../errors";
import { ListParts } from "../services/import-parts";
import type { ListAnswer, ListJob } from "./list-worker";

/** How long it waits for another list: who checks a list often checks it again. */
const IDLE_MS = 30_000;
/** In megabytes, several times what a list of 100,000 people takes. */
const resourceLimits = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 64 };

/** A plan's request: its list is still being read. */
export type ReadRequest = { request: object; list: ListParts };

type Reading = { list: ListParts; begun(request: ReadRequest): void; failed(error: Error): void };

const stoppedError = (cause?: unknown) =>
  new AppError(
    "service_unavailable",
    "The list parser has stopped. Nothing was stored and no people were added. Check the list again.",
    { cause },
  );

function startWorker(file: URL): Worker {
  if (!file.pathname.endsWith(".ts")) return new Worker(file, { resourceLimits });
  // A thread begins without the loader that this process has for the source.
  const load = `import("tsx/esm/api").then(({ tsImport }) => tsImport(${JSON.stringify(file.href)}, "file:///"))`;
  return new Worker(load, { resourceLimits, eval: true });
}

/**
 * Reads lists in one thread beside this one, one after the other. The thread is started by the first list, and ends, with all the
 * memory it took, when there was none for half a minute.
 */
export class ListThread {
  readonly #readings = new Map<number, Reading>();
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;
  #last = 0;

  /** @param file of list-worker.ts, as it is or built */
  constructor(private readonly file: URL) {}

  /**
   * Reads a plan's request. Resolves once its list is begun.
   * @throws AppError validation_error when it is no request; service_unavailable when the thread fails
   */
  read(bytes: Uint8Array<ArrayBuffer>): Promise<ReadRequest> {
    return new Promise((begun, failed) => {
      const id = ++this.#last;
      this.#readings.set(id, { list: new ListParts(), begun, failed });
      clearTimeout(this.#idle);
      try {
        this.#worker ??= this.#open();
        this.#worker.postMessage({ id, bytes } satisfies ListJob, [bytes.buffer]);
      } catch (error) {
        this.#end(id, stoppedError(error));
      }
    });
  }

  #open(): Worker {
    const worker = startWorker(this.file);
    worker.unref();
    worker.on("message", (answer: ListAnswer) => this.#take(answer));
    // What ends it is said first, and its exit comes after: also where nothing was said.
    worker.on("error", (error) => this.#lose(worker, error));
    worker.on("exit", (code) => this.#lose(worker, new Error(`the thread ended with ${code}`)));
    return worker;
  }

  #take(answer: ListAnswer): void {
    const reading = this.#readings.get(answer.id);
    if (!reading) return;
    if ("request" in answer) reading.begun({ request: answer.request, list: reading.list });
    else if ("part" in answer) reading.list.add(answer.part);
    else if ("over" in answer) this.#end(answer.id);
    else {
      const { code, message, detail, ...details } = answer.error;
      this.#end(answer.id, new AppError(code, message, { ...details, cause: detail }));
    }
  }

  #end(id: number, error?: Error): void {
    const reading = this.#readings.get(id);
    this.#readings.delete(id);
    reading?.list.end(error);
    // Does nothing where it has begun.
    if (error) reading?.failed(error);
    if (this.#readings.size === 0) this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref();
  }

  #lose(worker: Worker, cause: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    for (const id of [...this.#readings.keys()]) this.#end(id, stoppedError(cause));
  }

  /** Ends the thread; a list that it reads is not planned. The next one starts another. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    if (worker) this.#lose(worker, new Error("the thread was closed"));
    clearTimeout(this.#idle);
    await worker?.terminate();
  }
}
