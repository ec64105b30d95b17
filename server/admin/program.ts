import { Command } from "commander";
import { adminCommand, version } from "../version";
import { accountVerbs, installationVerbs, newsletterVerbs } from "./accounts";
import { backup, migrateVerb, restore, verify } from "./backup";
import { addNoun, addVerb } from "./command";
import { doctor } from "./doctor";
import { keyVerbs } from "./keys";
import { mailVerbs } from "./mails";
import { peopleVerbs } from "./people";
import { staffVerbs } from "./staff";
import { suppressionVerbs } from "./suppressions";

const EXIT_CODES = "\nExit codes: 0 success; 1 failure, or doctor found a problem; 2 invalid arguments.";

/** The command line whole: nouns with verbs, and what concerns the installation. */
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
  addNoun(program, "people", "subscribers of newsletters", peopleVerbs);
  addNoun(program, "suppressions", "addresses that never receive email", suppressionVerbs);
  addNoun(program, "mails", "emails in the outbox", mailVerbs);
  addVerb(program, "backup", backup);
  addVerb(program, "verify", verify);
  addVerb(program, "restore", restore);
  addVerb(program, "migrate", migrateVerb);
  addVerb(program, "doctor", doctor);
  return program;
}
