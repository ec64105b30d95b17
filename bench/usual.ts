/**
 * The usual way to write this API: Next.js route handlers, zod, and Prisma's model calls over Rollcall's tables. It looks
 * the key up for each request, and adds a bulk with `createMany` in a transaction. bench/servers.ts builds a Next.js
 * app around these handlers.
 */
import { createHash } from "node:crypto";
import { PrismaPg } from "@prisma/adapter-pg";
import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import { Prisma, PrismaClient } from "../server/platform/db/generated/client";

const adapter = new PrismaPg({ connectionString: process.env.DATABASE_URL, max: 16 });
// The usual limits of transactions, 2 and 5 s, are too short for 64 bulks at once.
const prisma = new PrismaClient({ adapter, transactionOptions: { maxWait: 20_000, timeout: 20_000 } });

const NewSubscriber = z.object({
  email: z.string().trim().max(254).pipe(z.email()),
  name: z.string().trim().max(255).default(""),
  status: z.enum(["active", "pending"]).default("active"),
});
type NewSubscriber = z.output<typeof NewSubscriber>;

const reject = (status: number, message: string) => Response.json({ success: false, message }, { status });

async function findKey(request: Request) {
  const secret = request.headers.get("authorization")?.replace("Bearer ", "") ?? "";
  const secretSha256 = createHash("sha256").update(secret).digest();
  const key = await prisma.apiKey.findUnique({ where: { secretSha256 } });
  const isLive = key && !key.revokedAt && (!key.expiresAt || key.expiresAt > new Date());
  return isLive && key.newsletterId ? { id: key.id, newsletterId: key.newsletterId } : null;
}
type Key = NonNullable<Awaited<ReturnType<typeof findKey>>>;

function toRow(key: Key, { email, name, status }: NewSubscriber) {
  const [firstName = "", ...lastNames] = name.split(" ");
  const person = {
    email,
    emailCanonical: email.toLowerCase(),
    firstName,
    lastName: lastNames.join(" "),
    status,
  };
  const origin = { newsletterId: key.newsletterId, source: "api", sourceId: key.id, createdAt: new Date() };
  return { id: uuidv7(), ...person, ...origin };
}

function toRecord({ id, email, firstName, lastName, status, createdAt }: ReturnType<typeof toRow>) {
  const created_at = createdAt.toISOString().replace(/\.\d+Z$/, "+00:00");
  return { id, email, name: `${firstName} ${lastName}`.trim(), status, created_at };
}

/** @param add inserts the people of a valid request, and returns the data of its answer */
const handler =
  <Input>(schema: z.ZodType<Input>, add: (key: Key, input: Input) => Promise<object>) =>
  async (request: Request): Promise<Response> => {
    const key = await findKey(request);
    if (!key) return reject(401, "The API key is not valid.");
    const parsed = schema.safeParse(await request.json().catch(() => null));
    if (!parsed.success) return reject(422, z.prettifyError(parsed.error));
    try {
      return Response.json({ success: true, data: await add(key, parsed.data) }, { status: 201 });
    } catch (error) {
      const isTaken = error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002";
      if (isTaken) return reject(422, "An address is already subscribed.");
      throw error;
    }
  };

export const createOne = handler(NewSubscriber, async (key, input) => {
  const data = toRow(key, input);
  await prisma.subscriber.create({ data });
  return toRecord(data);
});

export const createBulk = handler(z.array(NewSubscriber).min(1).max(100), async (key, inputs) => {
  const data = inputs.map((input) => toRow(key, input));
  await prisma.$transaction((tx) => tx.subscriber.createMany({ data }));
  return { created: data.map(toRecord) };
});

/** Answers once the app is ready. */
export const health = () => new Response();
