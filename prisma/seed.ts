// Invented data for `npm start -- --demo`: a newsletter as it would stand after a year.
import { v7 as uuidv7 } from "uuid";
import { createNewsletter } from "../server/accounts/newsletters";
import { hasAccount } from "../server/accounts/shared-queries";
import { createKey } from "../server/api-keys/api-keys";
import { recipientHash } from "../server/mail/recipient-hash";
import { setUp } from "../server/newsletters/set-up";
import type { Db } from "../server/platform/db/client";
import type { Ctx } from "../server/subscribers/context";
import { type InventedImport, inventImports, writeImports } from "./seed-imports";
import { inventPerson, seededRandom } from "./seed-people";
import { writeRequests } from "./seed-requests";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const PEOPLE = 5000;

export const demoOwner = { email: "demo@rollcall.dev", password: "harbour lamp seven ink" };

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

/** The import that brought somebody who joined at this time. */
const listAt = ({ imports }: Sources, time: Date) => imports.findLast(({ at }) => at <= time) ?? imports[0];

type Person = ReturnType<typeof inventPeople>[number];

/** People as they would stand after a year. */
function inventPeople(newsletterId: string, sources: Sources, now: number) {
  const random = seededRandom(20261120);
  const taken = new Set<string>();
  const times = Array.from({ length: PEOPLE }, (_, n) => joinedAt(n, random, now)).sort(
    (a, b) => a.getTime() - b.getTime(),
  );
  return times.map((time) => {
    const made = inventPerson(random, taken);
    const from = origin(random, sources);
    const list = from.source === "import" ? listAt(sources, time) : undefined;
    const createdAt = list?.at ?? time;
    const age = now - createdAt.getTime();
    const asked = from.source !== "import" && from.source !== "dashboard";
    const pending = asked && random() < (age < 3 * DAY_MS ? 0.34 : 0.05);
    const unsubscribed = !pending && random() < Math.min(0.09, age / DAY_MS / 3000);
    const minutes = 1 + random() ** 4 * 1800;
    const confirmedAt =
      asked && !pending ? new Date(Math.min(now, createdAt.getTime() + minutes * MINUTE_MS)) : null;
    return {
      ...made,
      source: from.source,
      sourceId: list?.id ?? from.sourceId,
      newsletterId,
      id: uuidv7({ msecs: createdAt.getTime() }),
      emailCanonical: made.email,
      status: pending ? "pending" : unsubscribed ? "unsubscribed" : "active",
      version: unsubscribed || confirmedAt ? 2 : 1,
      createdAt,
      confirmedAt,
      unsubscribedAt: unsubscribed ? new Date(now - random() * age * 0.8) : null,
    };
  });
}

/** The stored mails of the newest who are still pending: the demo has no email provider. Some failed or wait. */
async function writeMails(db: Db, people: Person[], now: number): Promise<void> {
  const states = ["logged", "logged", "logged", "logged", "failed", "deferred", "logged"];
  const asked = people.filter((one) => one.confirmedAt || one.status === "pending").slice(-600);
  const pending = asked.filter(({ status }) => status === "pending");
  await db.mail.createMany({
    data: pending.map((one, i) => {
      const state = states[i % states.length] as string;
      const created = one.createdAt.getTime();
      return {
        id: uuidv7({ msecs: created + 5 }),
        newsletterId: one.newsletterId,
        subscriberId: one.id,
        kind: "confirmation",
        toEmail: one.email,
        recipientHash: recipientHash(one.email),
        state,
        createdAt: one.createdAt,
        linkExpiresAt: new Date(created + 7 * DAY_MS),
        ...(state === "deferred" && {
          deferredUntil: new Date(now + 60 * MINUTE_MS * (1 + (i % 20))),
          errorMessage: "Deferred: one person gets at most three confirmations a day.",
        }),
        ...(state === "failed" && {
          finishedAt: new Date(created + 2000),
          errorCode: "validation_error",
          errorMessage: "Rejected by the email provider: the domain of this address accepts no email.",
        }),
      };
    }),
  });
}

async function writeActivity(db: Db, people: Person[]): Promise<void> {
  const events = people.flatMap(({ id, newsletterId, confirmedAt, unsubscribedAt }) =>
    [
      { kind: "confirmed", at: confirmedAt },
      { kind: "unsubscribed", at: unsubscribedAt },
    ].flatMap(({ kind, at }) =>
      at
        ? [
            {
              id: uuidv7({ msecs: at.getTime() }),
              newsletterId,
              subscriberId: id,
              actorKind: "link",
              kind,
              at,
            },
          ]
        : [],
    ),
  );
  await db.subscriberEvent.createMany({ data: events });
}

/**
 * Fills an installation that nobody has claimed with a believable newsletter; one that is claimed is left alone.
 * @returns whether it did
 */
export async function fillWithDemo(app: Pick<Ctx, "db">): Promise<boolean> {
  const { db } = app;
  if (await hasAccount(db)) return false;
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
  const now = Date.now();
  const newsletterId = made.newsletter.id;
  // A demo of a month ago still has everybody.
  await db.newsletter.update({ where: { id: newsletterId }, data: { pendingDays: null } });
  const imports = inventImports(now);
  const sources = { shop: shop.id, website: website.id, owner: made.staff.id, imports };
  const people = inventPeople(newsletterId, sources, now);
  for (let i = 0; i < people.length; i += 1000)
    await db.subscriber.createMany({ data: people.slice(i, i + 1000) });
  await writeImports(db, { newsletterId, staffId: made.staff.id }, imports, people);
  await writeMails(db, people, now);
  await writeActivity(db, people);
  await writeRequests(db, newsletterId, [shop.id, website.id], seededRandom(20261121));
  return true;
}
