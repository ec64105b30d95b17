import { basename } from "node:path";
import { ListReading } from "../../components/imports/reading/list-reading";
import { ofNewsletter } from "../accounts/context";
import { getNewsletter } from "../accounts/newsletters";
import { type CommandContext, newsletterOption, type Result, type Verb } from "../cli/command";
import { type Options, readInputFile, text } from "../cli/options";
import { OperatorError } from "../kernel/errors";
import { listFields } from "../subscribers/fields";
import { workJob } from "../work/add-work";
import { runWork } from "../work/run-work";
import { beginImport, cancelImport, getImport } from "./imports";
import { type Answers, type ListQuestion, type Meaning, meanings } from "./list-parser/list-types";
import { planImport } from "./plan";
import { countAdded, countStored } from "./schema/import-counts";
import { type ImportPlan, type StatusRule, statusRules } from "./schema/imports";

/** @throws OperatorError for a workbook or an encoding other than UTF-8 */
function readList(file: string): string {
  const bytes = readInputFile(file);
  try {
    const read = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!read.includes("\0")) return read;
  } catch {}
  throw new OperatorError(
    `${file} is not a UTF-8 text file. Nothing was changed. Save it as CSV in UTF-8, or use the Imports page, which reads workbooks and other encodings.`,
  );
}

/** Gives the meaning of "j=active" to every question with the value "j". @throws OperatorError */
function answersOf(given: string[], questions: ListQuestion[]): Answers {
  const answers: Answers = {};
  for (const answer of given) {
    const at = answer.lastIndexOf("=");
    const [value, meaning] = [answer.slice(0, at), answer.slice(at + 1)];
    const about = questions.filter(({ values }) => values.some((one) => one.value === value));
    if (at < 1 || !meanings.includes(meaning as Meaning) || about.length === 0)
      throw new OperatorError(
        `--answer ${answer}: use VALUE=MEANING with a value from the questions and one of ${meanings.join(", ")}. Nothing was changed.`,
      );
    for (const { id } of about) answers[id] = { ...answers[id], [value]: meaning as Meaning };
  }
  return answers;
}

/** The values whose meaning is unknown, one line each. */
function openQuestions(questions: ListQuestion[]): string[] {
  return questions.flatMap(({ about, title, values }) =>
    values
      .filter(({ meaning }) => meaning === null)
      .map(
        ({ value, count }) => `${about}${title && ` ${title}`}: what does "${value}" mean (${count} people)?`,
      ),
  );
}

function statusRule(options: Options, saysStatus: boolean): StatusRule {
  const rule = options.status ?? (saysStatus ? "list" : "pending");
  if (!statusRules.includes(rule as StatusRule))
    throw new OperatorError(`--status must be one of ${statusRules.join(", ")}. Nothing was changed.`);
  return rule === "list" && !saysStatus ? "pending" : (rule as StatusRule);
}

type Planned = { plan: ImportPlan; rejected: number };

/** Makes the same plan as the Imports page. @throws OperatorError while a question is unanswered */
async function planFile(
  ctx: CommandContext,
  { newsletterId, file }: { newsletterId: string; file: string },
  options: Options,
): Promise<Planned> {
  const list = { text: readList(file), fileName: basename(file) };
  const given = (options.answer as string[] | undefined) ?? [];
  const fields = await listFields(ctx, { newsletterId });
  const first = new ListReading(0, { ...list, override: { fields } }, {}).summary();
  const answers = answersOf(given, first.questions);
  const reading = new ListReading(1, { ...list, override: { answers, fields } }, {});
  const { questions, saysStatus } = reading.summary();
  const open = openQuestions(questions);
  if (open.length > 0)
    throw new OperatorError(
      `These questions about the list need an answer:\n  ${open.join("\n  ")}\nNothing was changed. ` +
        `Answer each with --answer 'VALUE=MEANING'. The meaning must be one of ${meanings.join(", ")}.`,
    );
  const rule = statusRule(options, saysStatus);
  const rejected = reading.rejected();
  const plan = await planImport(ctx, {
    newsletterId,
    list: { rows: reading.rows(rule), rejected, fileName: list.fileName, statusRule: rule, answers },
  });
  return { plan, rejected: rejected.length };
}

const outcomeWords: Record<keyof ImportPlan["counts"], string> = {
  new_active: "are added as active",
  new_pending: "are added as pending and receive a confirmation email",
  new_unsubscribed: "are added as unsubscribed",
  already_active: "are already on the list, active",
  already_pending: "are already on the list, pending",
  unsubscribed: "unsubscribed earlier and stay unsubscribed",
  suppressed: "are suppressed and not added",
};

function linesOf({ plan, rejected }: Planned): string[] {
  const counts = Object.entries(plan.counts).filter(([, people]) => people > 0);
  return [
    ...counts.map(([outcome, people]) => `${people} ${outcomeWords[outcome as keyof typeof outcomeWords]}`),
    ...(rejected > 0 ? [`${rejected} lines have errors and are not imported`] : []),
    ...(plan.relatedOptOuts.people > 0
      ? [`${plan.relatedOptOuts.people} of those added as active have opted out under another spelling`]
      : []),
    ...(plan.activeDespiteOptOut > 0
      ? [`${plan.activeDespiteOptOut} active or pending people are unsubscribed in this list: check them`]
      : []),
  ];
}

async function commit(ctx: CommandContext, newsletterId: string, { plan }: Planned, options: Options) {
  const people = countAdded(plan.counts);
  if (people > 0 && typeof options.consent !== "string")
    throw new OperatorError(
      `${people} people would be added as active or pending. State where they agreed with --consent 'Form on our website'. Nothing was changed.`,
    );
  const consent =
    people === 0
      ? null
      : { source: text(options, "consent"), wording: String(options.wording ?? ""), people };
  const { record } = await beginImport(ctx, {
    newsletterId,
    importId: plan.importId,
    digest: plan.digest,
    consent,
  });
  // Runs here because the server may be down. The queued job takes over if this process is killed.
  await runWork(ctx, { job: workJob(ctx, { id: record.id }), closing: new AbortController().signal });
  return getImport(ctx, { newsletterId, importId: record.id });
}

export const importVerb: Verb = {
  does: "imports a list by the rules of the Imports page, without duplicates and opt-outs",
  example: "list.csv --newsletter 019d… --consent 'Form on our website' --dry-run",
  args: "<file>",
  options: [
    newsletterOption,
    ["--dry-run", "shows the result without changing anything"],
    ["--status <rule>", `of new people: ${statusRules.join(", ")}; by default as in the list, or pending`],
    ["--consent <source>", "where these people gave their consent"],
    ["--wording <text>", "the consent wording"],
    ["--answer <value=meaning...>", "answers a question about a word in the list"],
  ],
  async run(ctx, options, [file = ""]): Promise<Result> {
    const newsletter = await getNewsletter(ctx.db, text(options, "newsletter"));
    const { id: newsletterId } = newsletter;
    const planned = await planFile(ctx, { newsletterId, file }, options);
    const { plan, rejected } = planned;
    const discard = () => cancelImport(ctx, { ...ofNewsletter(newsletter), importId: plan.importId });
    const facts = { counts: plan.counts, rejected, still_here: plan.activeDespiteOptOut };
    const lines = linesOf(planned);
    if (options.dryRun || countStored(plan.counts) === 0) {
      await discard();
      const end = options.dryRun ? "Nothing was changed: this was a dry run." : "No people to import.";
      return { json: { import: { state: "planned", ...facts } }, lines: [...lines, end] };
    }
    const record = await commit(ctx, newsletterId, planned, options).catch(async (error) => {
      await discard().catch(() => {});
      throw error;
    });
    const isDone = record.state === "done";
    const end = isDone
      ? `Done: import #${record.number}.`
      : (record.error ?? `The import is ${record.state}.`);
    return {
      json: { import: { id: record.id, number: record.number, state: record.state, ...facts } },
      lines: [...lines, end],
      failed: !isDone,
    };
  },
};
