import { expect, it } from "vitest";
import { cell } from "./export";

it.each([
  ["Ada Lovelace", '"Ada Lovelace"'],
  ["", '""'],
  ['Ada "Countess" King', '"Ada ""Countess"" King"'],
  ["Lovelace, Ada", '"Lovelace, Ada"'],
  ["=1+1", `"'=1+1"`],
  ["  @SUM(A1)", `"  '@SUM(A1)"`],
  ["x;=cmd|' /C calc'!A0;y", `"x;'=cmd|' /C calc'!A0;y"`],
  ["x\t+1", `"x\t'+1"`],
  ["x\r\n-1", `"x\r\n'-1"`],
  ["＝1+1", `"'＝1+1"`],
  ["Anne-Marie; Jean-Luc", '"Anne-Marie; Jean-Luc"'],
])("%j is written as %s", (text, written) => {
  expect(cell(text)).toBe(written);
});
