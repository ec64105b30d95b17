import { type Answer, ask, BULK, type Mount, type Question } from "./client";
import type { Installation } from "./installation";

/** The processes that a suite tests; filled in before its first test. */
export type Stage = {
  /** The process under test. */
  mount: Mount;
  /** Another one on the same database. */
  other: Mount;
  at: Installation;
};

/** Creates one subscriber. */
export function create(stage: Stage, key: string, json: unknown, more: Question = {}): Promise<Answer> {
  return ask(stage.mount, { key, json, ...more });
}

/** Creates many. */
export function createMany(stage: Stage, key: string, json: unknown, more: Question = {}): Promise<Answer> {
  return ask(stage.mount, { path: BULK, key, json, ...more });
}

/** `n` people who are on no list yet. */
export function people(n: number, prefix = "person"): { email: string }[] {
  return Array.from({ length: n }, (_, i) => ({ email: `${prefix}-${i + 1}@example.org` }));
}

/** Does `work` for each of `all`, `at` of them at a time, and keeps their order. */
export async function each<T, R>(
  all: readonly T[],
  at: number,
  work: (one: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(all.length);
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < all.length; i = next++) results[i] = await work(all[i] as T, i);
  };
  await Promise.all(Array.from({ length: at }, worker));
  return results;
}
