import { v7 as uuidv7 } from "uuid";
import type { Db } from "./db/client";
import { type InventedImport, inventImports, writeImports } from "./demo-imports";
import { dice, person } from "./demo-people";
import { writeRequests } from "./demo-requests";
import { recipientHash } from "./mail/outbox";
import { createKey } from "./services/api-keys";
import type { Ctx } from "./services/context";
import { isClaimed, setUp } from "./services/installation";
import { createNewsletter } from "./services/newsletters";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const PEOPLE = 5000;

export const demoOwner = { email: "demo@rollcall.dev", password: "rollcall-demo" };

type Sources = { shop: string; website: string; owner: string; imports: InventedImport[] };

/** When the nth joined: slow at first, faster later, more by day than by night, never in the future. */
function joinedAt(n: number, random: () => number, now: number): Date {
  const part = ((n + random()) / PEOPLE) ** 0.62;
  const ago = (1 - part) * 365;
  // Now and then an issue is passed on, and many come in two days.
  const burst =
    random() < 0.28 ? Math.ceil(ago / 26) * 26 - 3 - random() ** 2 * 2.5 : ago + (random() - 0.5) * 3;
  return new Date(now - Math.max(burst, random() * 0.9, (PEOPLE - n) / 86_400) * DAY_MS);
}

function origin(
  random: () => number,
  { shop, website, owner }: Sources,
): { source: "api" | "import" | "public" | "dashboard"; sourceId: string | null } {
  const at = random();
  if (at < 0.46) return { source: "api", sourceId: website };
  if (at < 0.74) return { source: "api", sourceId: shop };
  if (at < 0.94) return { source: "import", sourceId: null };
  if (at < 0.97) return { source: "public", sourceId: null };
  return { source: "dashboard", sourceId: owner };
}

/** The list that somebody who came at this time came with. */
const listAt = ({ imports }: Sources, time: Date) => imports.findLast(({ at }) => at <= time) ?? imports[0];

/** Writes people as they would stand after a year, and the mails of those who were asked to confirm. */
async function writePeople(db: Db, newsletterId: string, sources: Sources): Promise<void> {
  const random = dice(20261120);
  const taken = new Set<string>();
  const now = Date.now();
  const times = Array.from({ length: PEOPLE }, (_, n) => joinedAt(n, random, now)).sort(
    (a, b) => a.getTime() - b.getTime(),
  );
  const people = times.map((time) => {
    const made = person(random, taken);
    const origin2 = origin(random, sources);
    const list = origin2.source === "import" ? listAt(sources, time) : undefined;
    const from = list ? { ...origin2, sourceId: list.id } : origin2;
    const createdAt = list?.at ?? time;
    const age = now - createdAt.getTime();
    const asked = from.source !== "import" && from.source !== "dashboard";
    const pending = asked && random() < (age < 3 * DAY_MS ? 0.34 : 0.05);
    const left = !pending && random() < Math.min(0.09, age / DAY_MS / 3000);
    const confirmedAt =
      asked && !pending
        ? new Date(Math.min(now, createdAt.getTime() + (1 + random() ** 4 * 1800) * MINUTE_MS))
        : null;
    return {
      ...made,
      ...from,
      newsletterId,
      id: uuidv7({ msecs: createdAt.getTime() }),
      emailCanonical: made.email,
      status: pending ? "pending" : left ? "unsubscribed" : "active",
      version: left || confirmedAt ? 2 : 1,
      createdAt,
      confirmedAt,
      unsubscribedAt: left ? new Date(now - random() * age * 0.8) : null,
    };
  });
  for (let i = 0; i < people.length; i += 1000)
    await db.subscriber.createMany({ data: people.slice(i, i + 1000) });
  await writeImports(db, newsletterId, sources.owner, sources.imports, people);
  const states = ["logged", "logged", "logged", "logged", "failed", "deferred", "uncertain"];
  const mailed = people.filter((one) => one.confirmedAt || one.status === "pending").slice(-600);
  await db.mail.createMany({
    data: mailed.map((one, i) => {
      const state = one.status === "pending" ? (states[i % states.length] as string) : "logged";
      const late = state === "uncertain" ? "logged" : state;
      return {
        id: uuidv7({ msecs: one.createdAt.getTime() + 5 }),
        newsletterId,
        subscriberId: one.id,
        kind: "confirmation",
        toEmail: one.email,
        recipientHash: recipientHash(one.email),
        state: late,
        createdAt: one.createdAt,
        linkExpiresAt: new Date(one.createdAt.getTime() + 7 * DAY_MS),
        ...(late === "deferred" && {
          deferredUntil: new Date(now + 3_600_000 * (1 + (i % 20))),
          errorMessage:
            "Held: one person gets at most three confirmations a day, over all newsletters and spellings of the address. It leaves by itself.",
        }),
        ...(late === "failed" && {
          finishedAt: new Date(one.createdAt.getTime() + 2000),
          errorMessage: "Resend rejects this mail: the domain of this address does not take mail.",
        }),
      };
    }),
  });
  await db.subscriberEvent.createMany({
    data: people.flatMap((one) => {
      const about = { newsletterId, subscriberId: one.id, actorKind: "link" };
      return [
        ...(one.confirmedAt
          ? [
              {
                ...about,
                id: uuidv7({ msecs: one.confirmedAt.getTime() }),
                kind: "confirmed",
                at: one.confirmedAt,
              },
            ]
          : []),
        ...(one.unsubscribedAt
          ? [
              {
                ...about,
                id: uuidv7({ msecs: one.unsubscribedAt.getTime() }),
                kind: "unsubscribed",
                at: one.unsubscribedAt,
              },
            ]
          : []),
      ];
    }),
  });
}

/**
 * Fills an installation that nobody has claimed with a believable newsletter; one that is claimed is left alone.
 * @returns whether it did
 */
export async function fillWithDemo(app: Pick<Ctx, "db">): Promise<boolean> {
  const { db } = app;
  if (await isClaimed(db)) return false;
  const ctx = { db, actor: { kind: "operator" }, requestId: "demo" } as const;
  const made = await setUp(ctx, { account: "Paper & Ink", newsletter: "Weekly", ...demoOwner });
  await db.staffMember.update({ where: { id: made.staff.id }, data: { name: "Robin Calder" } });
  const [shop, website] = [
    await createKey(ctx, { newsletterId: made.newsletter.id, key: { name: "Shop" } }),
    await createKey(ctx, {
      newsletterId: made.newsletter.id,
      key: { name: "Website", permissions: ["subscribers:write"], expiresInDays: 365 },
    }),
  ];
  await createNewsletter(ctx, { accountId: made.account.id, name: "Field Notes" });
  const origins = { shop: shop.id, website: website.id, owner: made.staff.id };
  await writePeople(db, made.newsletter.id, { ...origins, imports: inventImports(Date.now()) });
  await writeRequests(db, made.newsletter.id, [shop.id, website.id], dice(20261121));
  return true;
}
