import type { Ctx } from "./context";
import { countActiveByDay, sumOf } from "./queries/people-counts";
import type { StatsRecord } from "./schema/stats";

/**
 * Counts a newsletter's subscribers by status, and who joined and left by UTC day, as the overview does.
 * @param input `last`: the last day as YYYY-MM-DD; null: today
 */
export async function getStats(
  { db }: Pick<Ctx, "db">,
  { newsletterId, last, days }: { newsletterId: string; last: string | null; days: number },
): Promise<StatsRecord> {
  const counted = await countActiveByDay(db, newsletterId, { days, last, timeZone: "UTC" });
  const byDay = counted.days.map(({ day: date, joined, left }) => ({ date, joined, left }));
  const [from, to] = [byDay[0]?.date ?? "", byDay.at(-1)?.date ?? ""];
  return { subscribers: counted.people, from, to, ...sumOf(byDay), days: byDay };
}
