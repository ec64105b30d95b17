import { expect, test } from "vitest";
import { findOpenFiles, openFilesIssue, tooManyOpenFiles } from "./open-files";

test("that nearly no more files may be opened is told, with how to raise the limit", () => {
  const files = findOpenFiles();
  expect(files?.open).toBeGreaterThan(3);
  expect(openFilesIssue({ open: 899, limit: 1000 })).toBeNull();
  expect(openFilesIssue({ open: 900, limit: 1000 })).toMatch(/^900 of 1000 .* LimitNOFILE=65536/);
});

test("what fails for want of files is a sentence, anything else is none", () => {
  expect(tooManyOpenFiles(Object.assign(new Error("open"), { code: "EMFILE" }))).toMatch(/ulimit -n/);
  expect(tooManyOpenFiles(new Error("spawn node EMFILE"))).toMatch(/ulimit -n/);
  expect(tooManyOpenFiles(new Error("another"))).toBeNull();
});
