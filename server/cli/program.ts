import { Command } from "commander";
import { keyVerbs } from "../api-keys/cli";
import { importVerb } from "../imports/cli";
import { adminCommand, version } from "../kernel/version";
import { mailVerbs } from "../mail-log/cli";
import { accountVerbs, installationVerbs, newsletterVerbs } from "../newsletters/cli";
import { backup, migrateVerb, restore, verify } from "../operations/backup/cli";
import { staffVerbs } from "../staff/cli";
import { peopleVerbs } from "../subscribers/cli";
import { addNoun, addVerb } from "./command";
import { doctor } from "./doctor";

const EXIT_CODES = "\nExit codes: 0 success; 1 failure, or doctor found a problem; 2 invalid arguments.";

/** Builds the whole command line: nouns with verbs, and the verbs of the installation. */
export function buildProgram(): Command {
  const program = new Command(adminCommand)
    .description(`Rollcall ${version}: commands for operators. Add --help to a command to see its options.`)
    .version(version)
    .exitOverride()
    .showHelpAfterError("Add --help to see its options.")
    .addHelpText("after", EXIT_CODES);
  for (const [name, verb] of Object.entries(installationVerbs)) addVerb(program, name, verb);
  addNoun(program, "accounts", "accounts, with their newsletters and staff", accountVerbs);
  addNoun(program, "newsletters", "newsletters", newsletterVerbs);
  addNoun(program, "staff", "staff members of the dashboard", staffVerbs);
  addNoun(program, "keys", "API keys", keyVerbs);
  addNoun(program, "people", "subscribers of newsletters", { ...peopleVerbs, import: importVerb });
  addNoun(program, "mails", "emails in the outbox", mailVerbs);
  addVerb(program, "backup", backup);
  addVerb(program, "verify", verify);
  addVerb(program, "restore", restore);
  addVerb(program, "migrate", migrateVerb);
  addVerb(program, "doctor", doctor);
  return program;
}
