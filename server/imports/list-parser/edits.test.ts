import { expect, it } from "vitest";
import { fixAddress } from "./edits";
import type { PastedPerson, Quoting } from "./list-types";

const email = '"a,b"@x.com';

it.each<[Quoting, string]>([
  ["bare", '"a,b"@x.com'],
  ["cell", '"""a,b""@x.com"'],
  ["quoted-cell", '""a,b""@x.com'],
  ["json", '\\"a,b\\"@x.com'],
  ["vcard", '"a\\,b"@x.com'],
])("writes a corrected address with the quoting of its place: %s", (quoting, insert) => {
  const address = { from: 10, to: 15, quoting };
  expect(fixAddress({ address } as PastedPerson, email)).toEqual([{ from: 10, to: 15, insert }]);
});

it("leaves a plain address in a cell without quotes, and corrects both places of a repeated one", () => {
  const address = { from: 20, to: 25, quoting: "cell" } as const;
  const again = { from: 10, to: 15, quoting: "bare" } as const;
  expect(fixAddress({ address, again } as PastedPerson, "a@x.com")).toEqual([
    { from: 10, to: 15, insert: "a@x.com" },
    { from: 20, to: 25, insert: "a@x.com" },
  ]);
});
