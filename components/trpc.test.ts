import { QueryObserver } from "@tanstack/react-query";
import { expect, onTestFinished, test } from "vitest";
import { makeQueryClient } from "./trpc";

/** A page with one query. @returns its client, the answers to its fetches in turn, and what it shows */
function open() {
  const client = makeQueryClient();
  const answers: ((data: string) => void)[] = [];
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve));
  const observer = new QueryObserver(client, { queryKey: ["domains"], queryFn });
  onTestFinished(observer.subscribe(() => {}));
  const save = (meta = {}) =>
    client
      .getMutationCache()
      .build(client, { mutationFn: async () => {}, meta })
      .execute(undefined);
  return { answers, save, shown: () => observer.getCurrentResult().data };
}

test("a page that is still loading during a change shows the data after it", async () => {
  const { answers, save, shown } = open();
  await save();
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.("new");
  answers[0]?.("old");
  await expect.poll(shown).toBe("new");
});

test("a page reads its data again after a change, and not after a call that changes nothing", async () => {
  const { answers, save, shown } = open();
  answers[0]?.("old");
  await expect.poll(shown).toBe("old");
  await save({ changesNothing: true });
  await save();
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.("new");
  await expect.poll(shown).toBe("new");
});
