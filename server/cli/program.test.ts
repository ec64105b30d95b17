import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { projectRoot } from "../kernel/project-root";
import { buildProgram } from "./program";

/** Every verb with the noun before it. */
const leaves = (parent: Command): Command[] =>
  parent.commands.flatMap((one) => (one.commands.length > 0 ? leaves(one) : [one]));

function helpOf(command: Command): string {
  const parts: string[] = [];
  command.configureOutput({ writeOut: (part) => void parts.push(part) });
  command.outputHelp();
  return parts.join("");
}

const program = buildProgram();
const verbs = leaves(program);

test("the help of each command has an example and --json", () => {
  expect(verbs.length).toBeGreaterThan(25);
  for (const verb of verbs) {
    const noun = verb.parent === program ? "" : `${verb.parent?.name()} `;
    const help = helpOf(verb);
    expect(help).toContain(`Example:\n  npm run admin -- ${noun}${verb.name()}`);
    expect(help).toContain("--json");
  }
  expect(helpOf(program)).toMatch(/Exit codes: 0 success; 1 .*; 2 /);
});

test("each example has all required options and arguments", () => {
  for (const verb of verbs) {
    const example = helpOf(verb).split("Example:")[1] as string;
    for (const option of verb.options) if (option.mandatory) expect(example).toContain(option.long);
    for (const _ of verb.registeredArguments)
      expect(example.trim()).not.toMatch(new RegExp(`${verb.name()}( --|$)`));
  }
});

test("the operators’ guide lists each command", () => {
  const guide = readFileSync(join(projectRoot(), "server/docs/operators.md"), "utf8");
  const table = guide.slice(guide.indexOf("## Command line"), guide.indexOf("## Deploying"));
  for (const { name } of [...verbs, ...program.commands].map((one) => ({ name: one.name() })))
    expect(table).toMatch(new RegExp(`\`${name}( FILE)?\``));
});
