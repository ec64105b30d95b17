import { describe, expect, it } from "vitest";
import { readFile } from "./read-file";

const file = (bytes: Uint8Array | string, name = "list.csv") => new File([bytes as BlobPart], name);
const bytes = (...all: number[]) => Uint8Array.from(all);

describe("a dropped file", () => {
  it.each([
    ["UTF-8", new TextEncoder().encode("Jürgen 太郎")],
    ["UTF-16, little end first", Uint8Array.from([0xff, 0xfe, ...Buffer.from("Jürgen 太郎", "utf16le")])],
    [
      "UTF-16, big end first",
      Uint8Array.from([0xfe, 0xff, ...Buffer.from("Jürgen 太郎", "utf16le").swap16()]),
    ],
  ])("is read in %s", async (_, content) => {
    expect(await readFile(file(content))).toEqual({ ok: true, text: "Jürgen 太郎" });
  });

  it("is read as western Europe's Excel saves it", async () => {
    expect(await readFile(file(bytes(0x4a, 0xfc, 0x72)))).toEqual({ ok: true, text: "Jür" });
  });

  it("is rejected with a way out when it is a workbook, no text, or too large", async () => {
    expect(await readFile(file(bytes(0x50, 0x4b, 3, 4), "readers.xlsx"))).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^readers\.xlsx is a workbook.*Save it as CSV/),
    });
    expect(await readFile(file(bytes(0x89, 0x50, 0, 0, 0), "photo.png"))).toMatchObject({
      ok: false,
      message: expect.stringContaining("not a text"),
    });
    const large = { name: "all.csv", size: 60 * 1024 * 1024 } as File;
    expect(await readFile(large)).toMatchObject({ ok: false, message: expect.stringContaining("50 MB") });
  });
});
