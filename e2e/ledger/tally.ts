import { openSite, type Site, type SiteOptions } from "../process/site";
import {
  type Breaches,
  breachesOf,
  isAcknowledged,
  type Load,
  noBreaches,
  repeatUnacknowledged,
} from "./load";
import { strandedMails } from "./outbox";

/** The results of all rounds of one kind. */
export type Tally = {
  kind: string;
  /** The promise in words. */
  played: string;
  rounds: number;
  /** Rounds by the moment that they strike. */
  moments: Map<string, number>;
  acknowledged: number;
  unacknowledged: number;
  breaches: Breaches;
  /** People who should have been mailed once and were not, or were twice, or work that never ends. */
  stranded: string[];
  longestOutageMs: number;
  /** Figures that only this kind has. */
  more: Map<string, number | string>;
};

/**
 * Whether a kind of round goes on: its time is not over, or it has not been played as often as it is to be.
 * @param underWay rounds that the tally does not know yet
 */
export type GoesOn = (underWay?: number) => boolean;

const tallies: Tally[] = [];

export function tallyOf(kind: string, played: string): Tally {
  const tally: Tally = {
    kind,
    played,
    rounds: 0,
    moments: new Map(),
    acknowledged: 0,
    unacknowledged: 0,
    breaches: structuredClone(noBreaches),
    stranded: [],
    longestOutageMs: 0,
    more: new Map(),
  };
  tallies.push(tally);
  return tally;
}

/** Plays rounds on a site of their own, and looks for stranded emails after them. */
export async function playOn(
  tally: Tally,
  options: SiteOptions,
  play: (site: Site) => Promise<void>,
): Promise<void> {
  const site = await openSite(options);
  try {
    await play(site);
    tally.stranded.push(...(await strandedMails(site)));
    add(tally, "mails accepted by the provider", site.fake.mails.length);
  } finally {
    await site.close();
  }
}

/** Counts a round and what its load shows against the list, and repeats writes without an answer. */
export async function countRound(tally: Tally, moment: string, site: Site, load?: Load): Promise<void> {
  tally.rounds++;
  tally.moments.set(moment, (tally.moments.get(moment) ?? 0) + 1);
  if (!load) return;
  const acknowledged = load.writes.filter(isAcknowledged).length;
  tally.acknowledged += acknowledged;
  tally.unacknowledged += load.writes.length - acknowledged;
  const found = await breachesOf(site, load);
  for (const name of Object.keys(found) as (keyof Breaches)[])
    tally.breaches[name].push(...found[name].map((one) => `${moment}: ${one}`));
  // Later processes of the site answer at the URL of the first one.
  const { repeated, wrong } = await repeatUnacknowledged(site.first, site.key, load);
  add(tally, "unacknowledged writes repeated with their Idempotency-Key, twice", repeated);
  tally.stranded.push(...wrong);
}

/** The result of a round that keeps all promises. */
export const asItShouldBe = { breaches: noBreaches, stranded: [] };

/** Adds up a figure of a kind's own. */
export function add(tally: Tally, name: string, count: number): void {
  tally.more.set(name, Number(tally.more.get(name) ?? 0) + count);
}

/** Keeps the largest of a figure. */
export function most(tally: Tally, name: string, value: number): void {
  tally.more.set(name, Math.max(Number(tally.more.get(name) ?? value), value));
}

const list = (items: string[]) =>
  items.length === 0 ? "0" : `**${items.length}** (${items.slice(0, 3).join("; ")})`;
/** With none of n seen, the share is below 3/n at 95 % confidence (the rule of three). */
const bound = (n: number, seen: number) =>
  n <= 3 || seen > 0 ? "–" : `< ${((3 / n) * 100).toPrecision(2)} %`;
const seconds = (ms: number) => (ms === 0 ? "–" : `${(ms / 1000).toFixed(1)} s`);

/** The ledger as Markdown. @param about the machine and the run, as [name, value] lines */
export function ledgerText(about: [string, string][]): string {
  const rows = tallies.map((one) => {
    const { lost, partial, doubled, untrue, strange } = one.breaches;
    const cells = [
      one.kind,
      one.rounds,
      one.acknowledged.toLocaleString("en"),
      one.unacknowledged.toLocaleString("en"),
      ...[lost, partial, doubled, untrue, strange, one.stranded].map(list),
      bound(one.acknowledged, lost.length),
      bound(one.rounds, lost.length + partial.length + doubled.length + one.stranded.length),
      seconds(one.longestOutageMs),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const details = tallies.map((one) =>
    [
      `### ${one.kind}`,
      one.played,
      ...(one.moments.size > 1 ? [[...one.moments].map(([name, n]) => `- ${name}: ${n}`).join("\n")] : []),
      ...(one.more.size > 0
        ? [[...one.more].map(([name, value]) => `- ${name}: ${figure(value)}`).join("\n")]
        : []),
    ].join("\n\n"),
  );
  return `# Ledger of faults

What the built product did while it was killed, starved and cut off, written by \`npm run ledger\`. Bad figures stand here like good ones.

${about.map(([name, value]) => `- ${name}: ${value}`).join("\n")}

| kind | rounds | acknowledged writes | not acknowledged | lost | partial | doubled | untrue "nothing was changed" | strange answers | stranded | lost per write | bad rounds | longest outage |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
${rows.join("\n")}

Lost: acknowledged and not there. Partial: a bulk or import of which only some are there. Doubled: one address twice. Stranded: a pending person who has no mail, or two, or work that never ended. Where none was seen, the share is below the bound given (3/n, at 95 % confidence). Outage: from the blow to the first write that is answered with success.

${details.join("\n\n")}
`;
}

const figure = (value: number | string) =>
  typeof value === "number" ? (Math.round(value * 100) / 100).toLocaleString("en") : value;
