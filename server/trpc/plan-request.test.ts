import { expect, it } from "vitest";
import { progressHeader, shareIn } from "../contract/plan-progress";
import { answerWithProgress } from "./plan-request";

const asking = (headers: Record<string, string>) => new Request("http://x/", { method: "POST", headers });

it("tells whoever asks how far a plan is before its answer, as blanks in front of the same JSON", async () => {
  let tell = (_share: number) => {};
  let finish = (_answer: Response) => {};
  const answer = await answerWithProgress(asking({ [progressHeader]: "1" }), (onShare) => {
    tell = onShare ?? tell;
    return new Promise((resolve) => {
      finish = resolve;
    });
  });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const next = async () => {
    text += (await reader?.read())?.value ?? "";
    return shareIn(text);
  };
  tell(0.021);
  expect(await next()).toBe(0.02);
  tell(0.5);
  expect(await next()).toBe(0.5);
  tell(0.5);
  finish(Response.json({ result: "planned" }));
  await next();
  expect(JSON.parse(text)).toEqual({ result: "planned" });
});

it("answers with the status of what came of it whoever does not ask", async () => {
  const rejected = Response.json({ error: "no" }, { status: 422 });
  expect(await answerWithProgress(asking({}), () => Promise.resolve(rejected))).toBe(rejected);
});
