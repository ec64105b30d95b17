/** Ends and removes the parts of a run in reverse order. */
export class Ending {
  private readonly steps: { name: string; end: () => unknown }[] = [];

  add(name: string, end: () => unknown): void {
    this.steps.push({ name, end });
  }

  /** Ends all; one that fails or takes more than 15 s is reported and does not keep the others from their end. */
  async run(): Promise<void> {
    for (const { name, end } of this.steps.splice(0).reverse()) {
      let timer: NodeJS.Timeout | undefined;
      const tooLong = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error("took longer than 15 s")), 15_000);
      });
      try {
        await Promise.race([Promise.resolve().then(end), tooLong]);
      } catch (error) {
        process.stderr.write(`bench: ending ${name}: ${(error as Error).message}\n`);
      } finally {
        clearTimeout(timer);
      }
    }
  }
}
