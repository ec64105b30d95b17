import { describe, expect, it } from "vitest";
import { encodings } from "./encodings";
import { readFile } from "./read-file";
import { encodedLists } from "./testing/encoded-lists";

const read = (bytes: BlobPart, encoding?: string) => readFile(new File([bytes], "list.csv"), { encoding });
const fromBase64 = (written: string) => Uint8Array.from(Buffer.from(written, "base64"));
const bytes = (...all: number[]) => Uint8Array.from(all);

describe("a text", () => {
  it.each(encodedLists)("in %s is detected and can be chosen", async (encoding, text, written) => {
    const content = fromBase64(written);
    expect(await read(content)).toMatchObject({ text, broken: undefined });
    if (encodings.some(({ id }) => id === encoding)) expect((await read(content, encoding)).text).toBe(text);
  });

  it.each([
    ["UTF-8", new TextEncoder().encode("a@x.org,Jürgen 太郎")],
    ["UTF-8 with a mark", new TextEncoder().encode("\ufeffa@x.org,Jürgen 太郎")],
    ["UTF-16, little end first", bytes(0xff, 0xfe, ...Buffer.from("a@x.org,Jürgen 太郎", "utf16le"))],
    ["UTF-16, big end first", bytes(0xfe, 0xff, ...Buffer.from("a@x.org,Jürgen 太郎", "utf16le").swap16())],
  ])("in %s is certain", async (_, content) => {
    const { text, encoding, broken } = await read(content);
    expect([text, encoding, broken]).toEqual(["a@x.org,Jürgen 太郎", undefined, undefined]);
  });

  it("offers every encoding, the likeliest first", async () => {
    const { encoding } = await read(bytes(...Buffer.from("Gerg\xf5;g@x.hu\nErn\xf5;e@x.hu", "latin1")));
    const ids = encoding?.options.map(({ id }) => id) ?? [];
    expect([encoding?.value, ids[0]]).toEqual(["windows-1250", "windows-1250"]);
    expect(ids).toEqual(expect.arrayContaining(["windows-1252", "macintosh", "shift_jis", "utf-8"]));
  });

  it("stays UTF-8 despite an invalid byte, and reports its line", async () => {
    const good = "zoe@x.org,Zoë\njose@x.org,José\n".repeat(20);
    const content = bytes(
      ...Buffer.from(good),
      ...Buffer.from("bad@x.org,B\xe4d\nlea@x.org,L", "latin1"),
      ...Buffer.from("éa"),
    );
    expect(await read(content)).toMatchObject({
      text: `${good}bad@x.org,B\ufffdd\nlea@x.org,Léa`,
      broken: { bytes: 1, line: 41 },
      encoding: { value: "utf-8" },
    });
  });
});
