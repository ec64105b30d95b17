import { readOptOuts } from "../../components/suppressions/read-opt-outs";
import { getNewsletter } from "../accounts/newsletters";
import { newsletterOption, type Verb } from "../cli/command";
import { readInputFile, text, wholeNumber } from "../cli/options";
import { parseEmail } from "../kernel/email";
import { parse } from "../kernel/parse";
import {
  givenReasons,
  maxSuppressionsPerCall,
  NewSuppression,
  type SuppressionRecord,
} from "./schema/suppressions";
import { addSuppressions, createSuppressions, listSuppressions, removeSuppression } from "./suppressions";

const lineOf = ({ id, email, reason, source, created_at: at }: SuppressionRecord) =>
  `${id}  ${email ?? "(erased)"}  ${reason} by ${source}  ${at}`;

const PAGE = 100;

export const suppressionVerbs: Record<string, Verb> = {
  list: {
    does: "lists a newsletter's suppressed addresses, newest first",
    example: "--newsletter 019d… --email ada@lovelace.org",
    options: [
      newsletterOption,
      ["--email <address>", "only this address, also if it was erased"],
      ["--limit <number>", "the limit, up to 10000; default 100"],
    ],
    async run(ctx, options) {
      const { id: newsletterId } = await getNewsletter(ctx.db, text(options, "newsletter"));
      const limit = wholeNumber(String(options.limit ?? PAGE), 10_000);
      const address = options.email === undefined ? null : parseEmail(text(options, "email"));
      const emailCanonical = address?.ok ? address.canonical : undefined;
      const search = address === null ? undefined : text(options, "email");
      const suppressions: SuppressionRecord[] = [];
      let total = 0;
      for (let after: string | null = null; ; ) {
        const page: Awaited<ReturnType<typeof listSuppressions>> = await listSuppressions(
          ctx,
          { newsletterId, reason: undefined, search, emailCanonical },
          { limit: Math.min(PAGE, limit - suppressions.length), after },
        );
        suppressions.push(...page.items);
        total = page.total;
        after = page.next;
        if (after === null || suppressions.length >= limit) break;
      }
      const more = total - suppressions.length;
      const lines = [...suppressions.map(lineOf), ...(more > 0 ? [`and ${more} more`] : [])];
      return {
        json: { suppressions, total },
        lines: lines.length > 0 ? lines : ["No suppressed addresses."],
      };
    },
  },
  add: {
    does: "suppresses an address and unsubscribes its subscriber",
    example: "--newsletter 019d… --email ada@lovelace.org --reason complained",
    options: [
      newsletterOption,
      ["--email <address>", "the address", "required"],
      ["--reason <reason>", `${givenReasons.join(", ")}; default manual`],
    ],
    async run(ctx, options) {
      const newsletter = await getNewsletter(ctx.db, text(options, "newsletter"));
      const input = parse(NewSuppression, {
        email: text(options, "email"),
        reason: (options.reason ?? "manual") as "manual",
      });
      const [suppression] = await createSuppressions(ctx, newsletter, {
        items: [{ index: 0, input }],
        faults: [],
      });
      return { json: { suppression }, lines: suppression ? [lineOf(suppression)] : [] };
    },
  },
  remove: {
    does: "lifts a suppression that was not the person's own decision",
    example: "--newsletter 019d… --id 019d… --why 'The mailbox works again'",
    options: [
      newsletterOption,
      ["--id <id>", "the suppression's id; see `suppressions list`", "required"],
      ["--why <text>", "the reason for the audit log", "required"],
    ],
    async run(ctx, options) {
      const newsletter = await getNewsletter(ctx.db, text(options, "newsletter"));
      const suppression = await removeSuppression(ctx, newsletter, {
        id: text(options, "id"),
        why: text(options, "why"),
      });
      return { json: { suppression }, lines: [`${suppression.email ?? "The address"} can be added again.`] };
    },
  },
  import: {
    does: "suppresses the addresses of a list exported by another service",
    example: "unsubscribed.csv --newsletter 019d… --reason unsubscribed",
    args: "<file>",
    options: [
      newsletterOption,
      ["--reason <reason>", `for lines without a reason: ${givenReasons.join(", ")}; default manual`],
      ["--dry-run", "shows the result without changing anything"],
    ],
    async run(ctx, options, [file = ""]) {
      const newsletter = await getNewsletter(ctx.db, text(options, "newsletter"));
      const { rows, invalid, twice } = readOptOuts(readInputFile(file).toString("utf8"));
      const inputs = rows.map(({ email, reason, date }) =>
        parse(NewSuppression, {
          email,
          reason: (reason ?? options.reason ?? "manual") as "manual",
          ...(date && { date }),
        }),
      );
      const sum = { read: rows.length, added: 0, unsubscribed: 0, invalid, twice };
      for (let from = 0; from < inputs.length && !options.dryRun; from += maxSuppressionsPerCall) {
        const chunk = inputs.slice(from, from + maxSuppressionsPerCall);
        const done = await addSuppressions(ctx, newsletter, {
          inputs: chunk,
          source: "import",
          continues: from > 0,
        });
        sum.added += done.added;
        sum.unsubscribed += done.unsubscribed;
      }
      const lines = [
        `${sum.read} addresses read, ${invalid} lines without an address, ${twice} duplicates.`,
        options.dryRun
          ? "Nothing was changed: this was a dry run."
          : `${sum.added} addresses are newly suppressed or have a stronger reason; ${sum.unsubscribed} people were unsubscribed.`,
      ];
      return { json: { suppressions: sum }, lines };
    },
  },
};
