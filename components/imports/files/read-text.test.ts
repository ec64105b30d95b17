import { describe, expect, it } from "vitest";
import { encodings } from "./encodings";
import { noChoices } from "./file-types";
import { takeFiles } from "./take-files";
import { encodedLists } from "./testing/encoded-lists";

const take = (bytes: BlobPart, encoding?: string) =>
  takeFiles([new File([bytes], "list.csv")], {
    ...noChoices,
    encodings: encoding === undefined ? {} : { 0: encoding },
  });
const fromBase64 = (written: string) => Uint8Array.from(Buffer.from(written, "base64"));
const bytes = (...all: number[]) => Uint8Array.from(all);

async function encodingChoice(content: BlobPart, encoding?: string) {
  const { choices } = await take(content, encoding);
  const found = choices.find(({ kind }) => kind === "encoding");
  if (found?.kind !== "encoding") throw new Error("no encoding is asked about");
  return found;
}

describe("a text", () => {
  it.each(encodedLists)("in %s is read as what was written", async (_, text, written) => {
    const read = await take(fromBase64(written));
    expect(read.text).toBe(text);
    expect(read.remarks).toEqual([]);
  });

  it.each([
    ["UTF-8", new TextEncoder().encode("a@x.org,Jürgen 太郎")],
    ["UTF-8 with a mark", new TextEncoder().encode("\ufeffa@x.org,Jürgen 太郎")],
    ["UTF-16, little end first", bytes(0xff, 0xfe, ...Buffer.from("a@x.org,Jürgen 太郎", "utf16le"))],
    ["UTF-16, big end first", bytes(0xfe, 0xff, ...Buffer.from("a@x.org,Jürgen 太郎", "utf16le").swap16())],
    ["UTF-16 without a mark", bytes(...Buffer.from("a@x.org,Jürgen 太郎", "utf16le"))],
    [
      "UTF-16 without a mark, big end first",
      bytes(...Buffer.from("a@x.org,Jürgen 太郎", "utf16le").swap16()),
    ],
  ])("in %s is read without a question", async (_, content) => {
    expect(await take(content)).toMatchObject({ text: "a@x.org,Jürgen 太郎", choices: [], remarks: [] });
  });

  it.each(encodedLists.filter(([encoding]) => encodings.some(({ id }) => id === encoding)))(
    "in %s is read so when that is chosen, whatever it looks like",
    async (encoding, text, written) => {
      const content = fromBase64(written);
      expect((await take(content, encoding)).text).toBe(text);
    },
  );

  it("asks where names look right in two ways, with those names, the likelier first", async () => {
    // "Gergő" and "Ernő", or "Gergõ" and "Ernõ".
    const asked = await encodingChoice(bytes(...Buffer.from("Gerg\xf5;g@x.hu\nErn\xf5;e@x.hu", "latin1")));
    expect(asked.asked).toBe(true);
    const samples = asked.options.flatMap(({ sample }) => sample ?? []);
    expect(samples).toContain("Gergő, Ernő");
    expect(samples).toContain("Gergõ, Ernõ");
    expect(samples[0]).toBe("Gergő, Ernő");
    expect(asked.value).toBe(asked.options[0]?.id);
  });

  it("does not ask where signs stand within the names; it offers every encoding all the same", async () => {
    const list = encodedLists.find(([encoding]) => encoding === "windows-1250");
    const choice = await encodingChoice(fromBase64(list?.[2] ?? ""));
    expect(choice).toMatchObject({ value: "windows-1250", asked: false });
    expect(choice.options[0]?.sample).toMatch(/Łukasz Żółć/);
    expect(choice.options.map(({ id }) => id)).toEqual(
      expect.arrayContaining(["windows-1252", "macintosh", "cp852", "shift_jis", "utf-8"]),
    );
  });

  it("is read in the encoding that it names", async () => {
    const page = (encoding: string) =>
      Buffer.from(`<meta charset="${encoding}"><td>Gerg\xf5</td><td>g@x.hu</td>`, "latin1");
    expect(await encodingChoice(page("windows-1250"))).toMatchObject({ value: "windows-1250", asked: false });
    expect(await encodingChoice(page("iso-8859-1"))).toMatchObject({ value: "windows-1252", asked: false });
  });

  it("stays UTF-8 although one byte is none, and says where", async () => {
    const good = "zoe@x.org,Zoë\njose@x.org,José\n".repeat(20);
    const content = bytes(
      ...Buffer.from(good),
      ...Buffer.from("bad@x.org,B\xe4d\nlea@x.org,L", "latin1"),
      ...Buffer.from("éa"),
    );
    const read = await take(content);
    expect(read.text).toBe(`${good}bad@x.org,B\ufffdd\nlea@x.org,Léa`);
    expect(read.remarks).toEqual([{ kind: "brokenBytes", fileName: "list.csv", bytes: 1, line: 41 }]);
    expect(read.choices).toMatchObject([{ kind: "encoding", value: "utf-8" }]);
  });

  it("gives on JSON, contacts and LDIF as they are", async () => {
    for (const text of [
      '[{"email":"a@x.org"}]\n',
      "BEGIN:VCARD\nEMAIL:a@x.org\nEND:VCARD\n",
      "dn: cn=A\nmail: a@x.org\n",
    ])
      expect(await take(text)).toMatchObject({ text, choices: [] });
  });
});
