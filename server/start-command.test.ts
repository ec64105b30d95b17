import { expect, test } from "vitest";
import { loadConfig } from "./config";
import { startOn } from "./start-command";

test.each<[Record<string, string>, string[], string]>([
  [{}, [], "PORT=3001 npm start"],
  [{ DATA_DIR: ".demo" }, ["--demo"], "DATA_DIR=.demo PORT=3001 npm start -- --demo"],
  [
    { HOST: "0.0.0.0", DATA_DIR: "/a b/it's" },
    [],
    "DATA_DIR='/a b/it'\\''s' HOST=0.0.0.0 PORT=3001 npm start",
  ],
])("the start with %j and %j on another port is the same start", (settings, options, line) => {
  expect(startOn(loadConfig(settings), 3001, options)).toBe(line);
});
