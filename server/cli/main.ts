import { CommanderError, InvalidArgumentError } from "commander";
import { toAppError } from "../kernel/errors";
import { buildProgram } from "./program";

async function main(args: string[]): Promise<void> {
  const program = buildProgram();
  if (args.length === 0) return program.outputHelp();
  await program.parseAsync(args, { from: "user" });
}

main(process.argv.slice(2)).then(
  () => process.exit(process.exitCode ?? 0),
  (thrown: Error) => {
    // Commander prints its own errors, but not an error that a command throws.
    if (thrown instanceof InvalidArgumentError) console.error(`error: ${thrown.message}`);
    // Help and version also end here, with exit code 0. Commander has already printed invalid arguments.
    if (thrown instanceof CommanderError) process.exit(thrown.exitCode === 0 ? 0 : 2);
    const known = thrown.name === "OperatorError";
    const error = toAppError(thrown);
    const message = error.code === "internal_error" ? undefined : error.message;
    console.error(known ? thrown.message : (message ?? thrown));
    process.exit(1);
  },
);
