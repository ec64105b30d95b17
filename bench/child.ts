import { type ChildProcess, fork } from "node:child_process";

/** One of the bench's own processes (floor, load client), spoken to over IPC. It ends when the bench does. */
export class Child {
  private constructor(
    private readonly name: string,
    private readonly process: ChildProcess,
  ) {}

  /** @param module a built file of .build/bench */
  static start(name: string, module: string, args: string[] = []): Child {
    // Without execArgv a loader that this process runs under (tsx) would be handed down and distort the numbers.
    return new Child(
      name,
      fork(module, args, { execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] }),
    );
  }

  get pid(): number {
    return this.process.pid as number;
  }

  send(message: object | string): void {
    this.process.send(message);
  }

  /** The next message; rejects when the process ends instead, or the signal says so. */
  next<T>(signal?: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      const onMessage = (message: unknown) => settle(() => resolve(message as T));
      const onExit = (code: number | null, by: string | null) =>
        settle(() => reject(new Error(`${this.name} ended (${by ?? `exit code ${code}`})`)));
      const onAbort = () => settle(() => reject(signal?.reason));
      const settle = (outcome: () => void) => {
        this.process.off("message", onMessage);
        this.process.off("exit", onExit);
        signal?.removeEventListener("abort", onAbort);
        outcome();
      };
      this.process.on("message", onMessage);
      this.process.on("exit", onExit);
      signal?.addEventListener("abort", onAbort);
      if (signal?.aborted) onAbort();
      else if (this.ended) onExit(this.process.exitCode, this.process.signalCode);
    });
  }

  /** Ends the process and waits until it is gone; after 3 s by SIGKILL. */
  async stop(): Promise<void> {
    if (this.ended) return;
    const gone = new Promise((resolve) => this.process.once("exit", resolve));
    this.process.kill("SIGTERM");
    const withRetry = setTimeout(() => this.process.kill("SIGKILL"), 3000);
    await gone;
    clearTimeout(withRetry);
  }

  private get ended(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }
}
