import { z } from "zod";
import { DAY_MS } from "../../kernel/time";
import { whole } from "./list-query";

const maxDays = 366;
const defaultDays = 30;

const day = (name: string) => z.iso.date({ error: `${name} must be a day such as 2026-06-11.` }).optional();

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** The last day and the number of days that a query asks for. `last`: null is today. */
export function statsSpan({ from, to, days = defaultDays }: { from?: string; to?: string; days?: number }) {
  if (from === undefined) return { last: to ?? null, days };
  const last = to ?? dayOf(Date.now());
  return { last, days: (Date.parse(last) - Date.parse(from)) / DAY_MS + 1 };
}

export const StatsQuery = z
  .object({
    from: day("from").meta({ description: "The first day, in UTC. Do not combine with days." }),
    to: day("to").meta({ description: "The last day, in UTC. Default: today." }),
    days: whole("days", 1, maxDays)
      .optional()
      .meta({ description: `The number of days until \`to\`. Default: ${defaultDays}.` }),
  })
  .refine(({ from, days }) => from === undefined || days === undefined, {
    message: "Use either days or from, not both.",
    path: ["days"],
  })
  // A day ahead of ours, for callers whose clock is ahead.
  .refine(({ to }) => to === undefined || to <= dayOf(Date.now() + DAY_MS), {
    message: "to must not be in the future.",
    path: ["to"],
  })
  .refine((query) => query.from === undefined || statsSpan(query).days >= 1, {
    message: "from must not be after to.",
    path: ["from"],
  })
  .refine((query) => query.from === undefined || statsSpan(query).days <= maxDays, {
    message: `The days from from to to may be at most ${maxDays}. Ask for a part of them at a time.`,
    path: ["from"],
  });
export type StatsQuery = z.infer<typeof StatsQuery>;

const people = z.int().nonnegative();

export const StatsRecord = z
  .object({
    subscribers: z
      .object({ active: people, pending: people, unsubscribed: people })
      .meta({ description: "The number of subscribers by status, now." }),
    from: z.string().meta({ description: "The first day." }),
    to: z.string().meta({ description: "The last day." }),
    joined: people.meta({ description: "The sum of all days." }),
    left: people.meta({ description: "The sum of all days." }),
    days: z.array(
      z.object({
        date: z.string(),
        joined: people.meta({ description: "How many subscribers became active on this day." }),
        left: people.meta({ description: "How many active subscribers stopped being active on this day." }),
      }),
    ),
  })
  .meta({ id: "Stats" });
export type StatsRecord = z.infer<typeof StatsRecord>;
