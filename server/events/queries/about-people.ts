import type { Db, Tx } from "../../platform/db/client";

/** Removes the data of erased people from messages and events; their id remains. Their change is logged separately. */
export async function redactMessages(tx: Tx, subscriberIds: string[]): Promise<void> {
  if (subscriberIds.length === 0) return;
  await tx.$executeRaw`UPDATE changes SET detail = '{}' WHERE about = ANY (${subscriberIds}::uuid[])`;
  await tx.$executeRaw`
    UPDATE webhook_messages SET answer = NULL,
      body = jsonb_set(body::jsonb, '{data}', jsonb_build_object('subscriber_id', subscriber_id))::text
    WHERE subscriber_id = ANY (${subscriberIds}::uuid[])`;
}

export function listMessagesAbout(db: Db, subscriberId: string) {
  return db.webhookMessage.findMany({
    where: { subscriberId },
    orderBy: [{ createdAt: "asc" }, { number: "asc" }],
    select: { type: true, createdAt: true, state: true, body: true, endpoint: { select: { url: true } } },
  });
}
