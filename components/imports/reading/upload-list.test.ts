import { expect, it } from "vitest";
import { ListUpload } from "./upload-list";

type Call = [name: string, input: { part?: number; rows?: unknown[]; rejected?: unknown[] }];
type Imports = ConstructorParameters<typeof ListUpload>[0];

/** The server's procedures; the calls of which `fails` is true lose their answer. */
function fakeImports(fails: (calls: number) => boolean = () => false) {
  const calls: Call[] = [];
  const procedure = (name: string, answer: object) => ({
    mutate: async (input: Call[1]) => {
      calls.push([name, input]);
      if (fails(calls.length)) throw new TypeError("Failed to fetch");
      return answer;
    },
  });
  const imports = {
    begin: procedure("begin", { importId: "i" }),
    upload: procedure("upload", {}),
    plan: procedure("plan", { importId: "i" }),
  };
  return { calls, imports: imports as unknown as Imports };
}

const rows = (count: number, name = "") =>
  Array.from({ length: count }, (_, i) => ({ line: i + 1, email: `p${i}@list.org`, name }));
const listOf = (count: number, name?: string) => ({
  rows: rows(count, name),
  rejected: [{ line: count + 1, text: "nobody", reason: "no address" }],
  fileName: null,
  statusRule: "active" as const,
});
const partsOf = (calls: Call[]) => calls.filter(([name]) => name === "upload").map(([, { part }]) => part);

it("uploads a list in parts, each line once, and reports the share", async () => {
  const { calls, imports } = fakeImports();
  const shares: number[] = [];
  await new ListUpload(imports, { newsletterId: "n" }, listOf(4_500)).plan((share) => shares.push(share));
  expect(calls.map(([name]) => name)).toEqual(["begin", "upload", "upload", "upload", "plan"]);
  expect(calls.flatMap(([, input]) => input.rows ?? [])).toEqual(rows(4_500));
  expect(calls.flatMap(([, input]) => input.rejected ?? [])).toHaveLength(1);
  expect(shares).toEqual([0, 1 / 3, 2 / 3, 1]);
});

it("repeats a part without an answer, and continues", async () => {
  const { calls, imports } = fakeImports((call) => call === 3 || call === 6);
  await new ListUpload(imports, { newsletterId: "n" }, listOf(4_500), 0).plan();
  expect(partsOf(calls)).toEqual([0, 1, 1, 2]);
  expect(calls.map(([name]) => name).filter((name) => name !== "upload")).toEqual(["begin", "plan", "plan"]);
});

it("gives up after five failures, and the next call continues from there", async () => {
  const { calls, imports } = fakeImports((call) => call > 2 && call < 8);
  const upload = new ListUpload(imports, { newsletterId: "n" }, listOf(4_500), 0);
  await expect(upload.plan()).rejects.toThrow("Failed to fetch");
  await upload.plan();
  expect(partsOf(calls)).toEqual([0, 1, 1, 1, 1, 1, 1, 2]);
});

it("keeps parts of long rows below the limit of a request", async () => {
  const { calls, imports } = fakeImports();
  await new ListUpload(imports, { newsletterId: "n" }, listOf(2_000, "é".repeat(1_000))).plan();
  const sizes = calls.map(([, input]) => Buffer.byteLength(JSON.stringify(input)));
  expect(Math.max(...sizes)).toBeLessThan(4 * 1024 * 1024);
  expect(calls.flatMap(([, input]) => input.rows ?? [])).toHaveLength(2_000);
});
