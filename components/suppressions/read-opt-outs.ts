// Parses a list of suppressed addresses, as exported by another service.

import { dateOfCell } from "@/server/imports/list-parser/cell-dates";
import { type PastedList, problemMessages } from "@/server/imports/list-parser/list-types";
import { parseList } from "@/server/imports/list-parser/parse-list";
import { RowReader } from "@/server/imports/list-parser/row-reader";
import { parseEmail } from "@/server/kernel/email";
import type { givenReasons } from "@/server/suppressions/schema/suppression-messages";

export type GivenReason = (typeof givenReasons)[number];

/** `reason` and `date` are null if the list has no readable value. */
export type OptOut = { email: string; canonical: string; reason: GivenReason | null; date: string | null };

export type OptOuts = {
  rows: OptOut[];
  /** Number of lines without a valid address. `examples` has the first of them with the reason. */
  invalid: number;
  examples: { line: number; message: string }[];
  /** Number of lines with an address of an earlier line. */
  twice: number;
  /** Numbers of cells with an unknown reason or date. */
  unknownReasons: number;
  unknownDates: number;
};

const shownExamples = 3;

const bare = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

const reasonTitles = new Set(
  "reason type status cause event suppressiontype suppressionreason unsubreason grund motivo raison".split(
    " ",
  ),
);
const dateTitles = new Set(
  `date at time timestamp when since datum fecha data created createdat createdtime createddate suppressedat lastupdatetime
  unsubtime unsubscribedat unsubscribedon unsubscribeddate unsubscribedate unsubscribetime optoutdate optouttime optedoutat
  cleantime bouncedat complainedat`.split(/\s+/),
);

/** Names of reasons at Mailchimp, SendGrid, Postmark, Amazon SES, Mailgun and Brevo. */
const reasonWords: Record<GivenReason, RegExp> = {
  complained: /complain|spam|abuse|junk/,
  bounced: /bounce|cleaned|undeliver|invalid|notexist/,
  unsubscribed: /unsub|optout|optedout|abgemeldet|desabonn|baja|left|removed/,
  manual: /manual|suppress|block|blacklist|admin|donotmail/,
};

export function readReason(cell: string): GivenReason | null {
  const word = bare(cell);
  const found = Object.entries(reasonWords).find(([, pattern]) => pattern.test(word));
  return found ? (found[0] as GivenReason) : null;
}

/** @returns ISO 8601, or null for an unreadable or ambiguous day. A date without a zone is UTC. */
export function readDate(cell: string): string | null {
  const at = dateOfCell(cell.trim())?.at;
  if (!at) return null;
  // A future date becomes now: a day may have started in another time zone only.
  return new Date(Math.min(Date.parse(at), Date.now())).toISOString();
}

type Cells = { reason: string; date: string };

/** The cells of the reason and date columns, by line from 1. */
function cellsByLine({ delimiter, headerLine, columns, lines }: PastedList): Map<number, Cells> {
  const cells = new Map<number, Cells>();
  const find = (known: Set<string>) => columns.findIndex(({ title }) => known.has(bare(title)));
  const [reason, date] = [find(reasonTitles), find(dateTitles)];
  if (delimiter === null || headerLine === null || (reason === -1 && date === -1)) return cells;
  const reader = new RowReader(lines, delimiter, headerLine);
  const value = (column: number) => (column === -1 || column >= reader.count ? "" : reader.value(column));
  while (reader.next()) {
    const row = { reason: value(reason), date: value(date) };
    for (let at = reader.line; at < reader.nextLine; at++) cells.set(at + 1, row);
  }
  return cells;
}

/** Reads addresses in any form, with a table's reasons and dates. The first line of each address counts. */
export function readOptOuts(text: string): OptOuts {
  const list = parseList(text);
  const cells = cellsByLine(list);
  const read: OptOuts = {
    rows: [],
    invalid: list.problems.length,
    examples: list.problems
      .slice(0, shownExamples)
      .map(({ line, code }) => ({ line, message: problemMessages[code] })),
    twice: 0,
    unknownReasons: 0,
    unknownDates: 0,
  };
  const seen = new Set<string>();
  for (const { email: given, line } of list.records) {
    const address = parseEmail(given);
    if (!address.ok) {
      read.invalid++;
      if (read.examples.length < shownExamples) read.examples.push({ line, message: address.message });
      continue;
    }
    const { email, canonical } = address;
    if (seen.has(canonical)) {
      read.twice++;
      continue;
    }
    seen.add(canonical);
    const cell = cells.get(line) ?? { reason: "", date: "" };
    const [reason, date] = [readReason(cell.reason), readDate(cell.date)];
    if (cell.reason !== "" && reason === null) read.unknownReasons++;
    if (cell.date !== "" && date === null) read.unknownDates++;
    read.rows.push({ email, canonical, reason, date });
  }
  return read;
}
