import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { KeepAliveConnection } from "./keep-alive-connection";
import { People } from "./people";

/** Answers in the manner that the path asks for, and with the body that it was sent. */
const server = createServer(async (request, response) => {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  const body = Buffer.concat(pieces);
  response.statusCode = request.url === "/rejected" ? 422 : 201;
  if (request.url !== "/chunked") response.setHeader("content-length", body.length);
  for (let at = 0; at < body.length; at += 1000) {
    response.write(body.subarray(at, at + 1000));
    if (request.url === "/slow") await new Promise((resolve) => setTimeout(resolve, 1));
  }
  response.end();
});
let base = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  base = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
});
afterAll(() => server.close());

/** Sends the bodies one after the other over one connection. */
function exchange(path: string, bodies: string[]): Promise<{ status: number; answer: string }[]> {
  return new Promise((resolve, reject) => {
    const answers: { status: number; answer: string }[] = [];
    const connection = new KeepAliveConnection(
      new URL(path, base),
      "sk_x",
      (status, answer) => {
        answers.push({ status, answer: answer() });
        const next = bodies[answers.length];
        if (next !== undefined) return connection.send(next);
        connection.close();
        resolve(answers);
      },
      reject,
    );
    connection.send(bodies[0] as string);
  });
}

const people = new People();
const bodies = [people.nextBody(), people.nextBody(100), people.nextBody(), people.nextBody(100)];

test.each(["/sized", "/slow", "/chunked"])("reads whole answers, one after the other: %s", async (path) => {
  const answers = await exchange(path, bodies);
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  for (const [i, body] of bodies.entries()) {
    const answer = answers[i]?.answer ?? "";
    expect(answer.slice(answer.indexOf("\r\n\r\n") + 4)).toContain(body.slice(0, 80));
    expect(answer).toContain(path === "/chunked" ? "\r\n0\r\n\r\n" : body);
  }
});

test("tells the status of a rejection", async () => {
  const [first] = await exchange("/rejected", bodies);
  expect(first?.status).toBe(422);
});

test("never makes the same person twice", () => {
  const addresses = new Set<string>();
  for (let i = 0; i < 500; i += 1) {
    for (const { email } of JSON.parse(people.nextBody(100))) addresses.add(email);
  }
  expect(addresses.size).toBe(50_000);
});
