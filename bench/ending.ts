/** Longer than the product may take to start or to stop. */
const LIMIT_MS = 150_000;

const steps: { name: string; end: () => unknown }[] = [];
let isOver = false;

/** Starts a part of the bench, which ends after the work, after an error and on a signal. */
export function begin<T>(name: string, start: () => T | Promise<T>, end: (part: T) => unknown): Promise<T> {
  const starting = (async () => {
    if (isOver) throw new Error("The bench is ending.");
    return start();
  })();
  // A part that is still starting ends once it has started.
  steps.push({ name, end: () => starting.then(end, () => {}) });
  return starting;
}

/** Ends all parts in reverse order. A part that fails or takes too long is reported, and the others still end. */
export async function endAll(): Promise<void> {
  isOver = true;
  for (const { name, end } of steps.splice(0).reverse()) {
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`took longer than ${LIMIT_MS / 1000} s`)), LIMIT_MS);
    });
    await Promise.race([end(), tooLong]).catch((error: Error) =>
      console.error(`bench: ending ${name}: ${error.message}`),
    );
    clearTimeout(timer);
  }
}
