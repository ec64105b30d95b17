import { rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { type OfNewsletter, ofNewsletter } from "../accounts/context";
import { getNewsletter } from "../accounts/newsletters";
import { listAccounts } from "../accounts/shared-queries";
import { startBulkAction } from "../bulk-actions/bulk-actions";
import { type CommandContext, newsletterOption, type Verb } from "../cli/command";
import { type Options, text, wholeNumber } from "../cli/options";
import { writeTags } from "../imports/list-parser/attribute-cells";
import { csvByteOrderMark, csvLine } from "../kernel/csv";
import { parseEmail } from "../kernel/email";
import { OperatorError } from "../kernel/errors";
import { fieldValueOf } from "./field-values";
import { listFields } from "./fields";
import { exportPeople, listPeople, type PeopleList } from "./people";
import { type PeopleFilter, peopleWith } from "./queries/people-filter";
import { findTaken } from "./queries/subscribers";
import { textNames } from "./schema/subscriber-texts";
import { type Status, statuses } from "./status-moves";

function statusOf({ status }: Options): Status | undefined {
  if (status === undefined) return undefined;
  if (!statuses.includes(status as Status))
    throw new OperatorError(`--status must be one of ${statuses.join(", ")}. Nothing was changed.`);
  return status as Status;
}

const COLUMNS = [
  "id",
  ...textNames,
  "status",
  "source",
  "created_at",
  "subscribed_at",
  "confirmed_at",
  "unsubscribed_at",
  "external_id",
] as const;

type Person = Awaited<ReturnType<typeof listPeople>>["items"][number];

function plain({ sourceName: _, version: __, ...person }: Person) {
  const { createdAt, subscribedAt, confirmedAt, unsubscribedAt, externalId, fields, tags, ...rest } = person;
  const times = {
    created_at: createdAt,
    subscribed_at: subscribedAt,
    confirmed_at: confirmedAt,
    unsubscribed_at: unsubscribedAt,
  };
  return { ...rest, ...times, external_id: externalId, fields, tags };
}

const textOf = (value: string | Date | null) => (value instanceof Date ? value.toISOString() : (value ?? ""));

/** Writes people as CSV lines and counts them in `written`. */
async function* linesOf(
  ctx: CommandContext,
  chosen: OfNewsletter & { filter: PeopleFilter },
  written: { people: number },
): AsyncGenerator<string> {
  // In the format that the Imports page and `people import` read.
  const keys = (await listFields(ctx, chosen)).map(({ key }) => key);
  yield csvByteOrderMark + csvLine([...COLUMNS, ...keys.map((key) => `fields.${key}`), "tags"]);
  for (let after: string | null = null; ; ) {
    const page: PeopleList = await exportPeople(ctx, { ...chosen, after });
    for (const person of page.items.map(plain)) {
      const values = keys.map((key) => String(fieldValueOf(person.fields, key) ?? ""));
      const own = COLUMNS.map((column) => textOf(person[column]));
      yield csvLine([...own, ...values, writeTags(person.tags)]);
    }
    written.people += page.items.length;
    after = page.next;
    if (after === null) return;
  }
}

/** Creates a file that only its user can read. Removes an incomplete file. @throws OperatorError */
async function writeNewFile(file: string, lines: AsyncIterable<string>): Promise<void> {
  const reject = (error: NodeJS.ErrnoException): never => {
    if (!error.syscall) throw error;
    throw new OperatorError(
      `${file} can't be written (${error.message}). No incomplete file was left behind.`,
    );
  };
  const out = await open(file, "wx", 0o600).catch(reject);
  await pipeline(lines, out.createWriteStream()).catch((error) => {
    rmSync(file, { force: true });
    reject(error);
  });
}

export const peopleVerbs: Record<string, Verb> = {
  find: {
    does: "finds people by any part of their address or name, in all newsletters",
    example: "lovelace --limit 20",
    args: "<text>",
    options: [
      ["--newsletter <id>", "only in this newsletter"],
      ["--limit <people>", "the limit for each newsletter, up to 1000; default 20"],
    ],
    async run(ctx, options, [search = ""]) {
      const limit = wholeNumber(options, "--limit", 1000) ?? 20;
      const all = (await listAccounts(ctx.db)).flatMap(({ newsletters }) => newsletters);
      const newsletters = options.newsletter
        ? [await getNewsletter(ctx.db, text(options, "newsletter"))]
        : all;
      const found = [];
      for (const { id: newsletterId, name } of newsletters) {
        const { items: people } = await listPeople(ctx, {
          filter: peopleWith(newsletterId, { about: "search", value: search }),
          order: "newest",
          limit,
          from: null,
        });
        found.push(...people.map((person) => ({ ...plain(person), newsletter: { id: newsletterId, name } })));
      }
      const lines = found.map(
        ({ id, email, name, status, newsletter }) =>
          `${id}  ${email}  ${name}  ${status}  ${newsletter.name}`,
      );
      return { json: { people: found }, lines: lines.length > 0 ? lines : ["No people found."] };
    },
  },
  export: {
    does: "exports people to a CSV file, newest first; recorded in the audit log",
    example: "people.csv --newsletter 019d… --status active",
    args: "<file>",
    options: [newsletterOption, ["--status <status>", `only ${statuses.join(", ")}`]],
    async run(ctx, options, [file = ""]) {
      const newsletter = await getNewsletter(ctx.db, text(options, "newsletter"));
      const status = statusOf(options);
      const filter = peopleWith(
        newsletter.id,
        ...(status ? [{ about: "status" as const, is: [status] }] : []),
      );
      const written = { people: 0 };
      await writeNewFile(file, linesOf(ctx, { ...ofNewsletter(newsletter), filter }, written));
      const { people } = written;
      return {
        json: { export: { file, people } },
        lines: [`${people} people were written to ${file}, readable by you only.`],
      };
    },
  },
  erase: {
    does: "erases a person from a newsletter permanently; opt-outs stay suppressed",
    example: "--newsletter 019d… --email ada@lovelace.org",
    options: [newsletterOption, ["--email <address>", "the person's address", "required"]],
    async run(ctx, options) {
      const newsletter = await getNewsletter(ctx.db, text(options, "newsletter"));
      const email = text(options, "email");
      const address = parseEmail(email);
      const taken =
        address.ok && (await findTaken(ctx.db, newsletter.id, [address.canonical])).get(address.canonical);
      if (!taken) throw new OperatorError(`${email} is not on ${newsletter.name}. Nothing was changed.`);
      const { id } = taken;
      await startBulkAction(ctx, { newsletterId: newsletter.id, kind: "erase", target: { ids: [id] } });
      return {
        json: { person: { id, erased: true } },
        lines: [`${email} was erased from ${newsletter.name}.`],
      };
    },
  },
};
