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

const EXIT_CODES =
  "\nExit codes: 0 done; 1 it could not be done, or doctor found something bad; 2 it was not understood.";

/** The command line whole: nouns with verbs, and what concerns the installation. */
export function buildProgram(): Command {
  const program = new Command(adminCommand)
    .description(`Rollcall ${version}: what operators do. Each command says with --help what it takes.`)
    .version(version)
    .exitOverride()
    .showHelpAfterError("--help says what it takes.")
    .addHelpText("after", EXIT_CODES);
  for (const [name, verb] of Object.entries(installationVerbs)) addVerb(program, name, verb);
  addNoun(program, "accounts", "who pays and signs in", accountVerbs);
  addNoun(program, "newsletters", "what people subscribe to", newsletterVerbs);
  addNoun(program, "staff", "who signs in to the dashboard", staffVerbs);
  addNoun(program, "keys", "API keys", keyVerbs);
  addNoun(program, "people", "the people of newsletters", peopleVerbs);
  addNoun(program, "suppressions", "addresses that are not written to", suppressionVerbs);
  addNoun(program, "mails", "the outbox", mailVerbs);
  addVerb(program, "backup", backup);
  addVerb(program, "verify", verify);
  addVerb(program, "restore", restore);
  addVerb(program, "migrate", migrateVerb);
  addVerb(program, "doctor", doctor);
  return program;
}
