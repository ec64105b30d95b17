import { QueryObserver } from "@tanstack/react-query";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { currentAnswer, subscribe } from "./sign-in/who-it-is";
import { changesFrame, makeApiClient, makeQueryClient } from "./trpc";

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

test("the frame renders again only after a change to it", async () => {
  const renderAgain = vi.fn();
  const client = makeQueryClient(renderAgain);
  const change = (options = {}) =>
    client
      .getMutationCache()
      .build(client, { mutationFn: async () => {}, ...options })
      .execute(undefined);
  await change();
  expect(renderAgain).not.toHaveBeenCalled();
  await change(changesFrame);
  expect(renderAgain).toHaveBeenCalledOnce();
});

describe("a call whose session was replaced by a sign-in on the page", () => {
  type Answer = (status: number, code?: string) => void;

  /** The client, and each request's path with the function that answers it. */
  function openClient() {
    const asked: { path: string; answer: Answer }[] = [];
    vi.stubGlobal("fetch", (url: string) => {
      const path = new URL(url, "http://localhost").pathname.replace("/api/trpc/", "");
      return new Promise<Response>((resolve) => {
        const answer: Answer = (status, code) => {
          const error = { json: { message: "No.", code: -32001, data: { code } } };
          const said = code ? { error } : { result: { data: { json: "done" } } };
          resolve(Response.json(said, { status }));
        };
        asked.push({ path, answer });
      });
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    onTestFinished(subscribe(() => {}));
    type Query = (input: undefined, options: object) => Promise<unknown>;
    const client = makeApiClient() as unknown as Record<string, { query: Query }>;
    const apart = { context: { apart: true } };
    const call = (path: string) => client[path]?.query(undefined, apart).catch((error) => error.data.code);
    const request = async (nth: number) => {
      await expect.poll(() => asked.length).toBeGreaterThan(nth);
      return asked[nth] as { path: string; answer: Answer };
    };
    const dialog = async (signsIn: boolean) => {
      await expect.poll(currentAnswer).not.toBeNull();
      currentAnswer()?.(signsIn);
      await expect.poll(currentAnswer).toBeNull();
    };
    return { call, request, dialog, asked };
  }

  test("is repeated, whether it is answered during the sign-in or after it", async () => {
    const { call, request, dialog } = openClient();
    const [during, after] = [call("during"), request(0).then(() => call("after"))];
    await request(1);
    const create = call("create");
    (await request(2)).answer(403, "sign_in_again");
    await expect.poll(currentAnswer).not.toBeNull();
    (await request(0)).answer(401, "unauthorized");
    await dialog(true);
    (await request(1)).answer(401, "unauthorized");
    const repeated = await Promise.all([3, 4, 5].map(request));
    for (const { answer } of repeated) answer(200);
    expect(repeated.map(({ path }) => path).sort()).toEqual(["after", "create", "during"]);
    expect(await Promise.all([during, after, create])).toEqual(["done", "done", "done"]);
  });

  test("fails if the staff member cancels, and if it began after the sign-in", async () => {
    const { call, request, dialog, asked } = openClient();
    const poll = call("poll");
    await request(0);
    const create = call("create");
    (await request(1)).answer(403, "sign_in_again");
    await expect.poll(currentAnswer).not.toBeNull();
    (await request(0)).answer(401, "unauthorized");
    await dialog(false);
    expect(await Promise.all([poll, create])).toEqual(["unauthorized", "sign_in_again"]);
    const later = call("later");
    (await request(2)).answer(401, "unauthorized");
    expect(await later).toBe("unauthorized");
    expect(asked).toHaveLength(3);
  });
});
