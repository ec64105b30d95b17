import type { AuditAction } from "../../accounts/schema/audit-actions";
import { insertAudit } from "../../accounts/shared-queries";
import { maskAddress } from "../../kernel/ip-address";
import type { Secrets } from "../../kernel/secrets";
import type { Db, Tx } from "../../platform/db/client";
import { deviceName } from "../device-name";
import { findStaffMember } from "../queries/staff";
import type { Notice } from "../schema/staff-notices";
import { findKnownDevice, knownDeviceCookie } from "./known-devices";
import { countTryOf, type Tried } from "./staff-tries";

export type NoticeContext = {
  db: Db;
  notify(tx: Tx, to: { id: string; email: string }, notice: Notice): Promise<void>;
  appUrl: string;
  authSecrets: Secrets;
};

/** Returns the time, device and network that a notice shows. */
const requestDetails = (headers: Headers, address: string | null) => ({
  at: new Date(),
  device: deviceName(headers.get("user-agent")),
  network: maskAddress(address),
});

type Told = { staffId: string; headers: Headers; address: string | null };

/** Mails and records a notice about a staff member's sign-in, at most once an hour. */
async function tell(
  context: NoticeContext,
  { staffId, address }: Told,
  what: { once: Tried; action: AuditAction; actorKind: "staff" | "visitor"; notice: Notice; tries?: number },
): Promise<void> {
  const { db } = context;
  const staff = await findStaffMember(db, { id: staffId });
  if (!staff || "waitSeconds" in (await countTryOf(context, what.once, staffId))) return;
  await db.$transaction(async (tx) => {
    await context.notify(tx, staff, what.notice);
    await insertAudit(tx, {
      accountId: staff.accountId,
      actorKind: what.actorKind,
      actorId: what.actorKind === "staff" ? staffId : null,
      action: what.action,
      subjectId: staffId,
      ...(what.tries && { detail: { failures: what.tries, name: staff.name } }),
      address,
    });
  });
}

/** Notifies a staff member of failed sign-ins to their account. */
export function notifyOfFailures(context: NoticeContext, told: Told & { tries: number }): Promise<void> {
  const { tries, headers, address } = told;
  const notice = { kind: "failures", tries, ...requestDetails(headers, address) } as const;
  return tell(context, told, {
    once: "notice of failures",
    action: "staff.sign_in_failures",
    actorKind: "visitor",
    notice,
    tries,
  });
}

/** Staff who joined within this time know their device, so a new device sends no notice. */
const NEWCOMER_MS = 3_600_000;

/**
 * Remembers the browser of a sign-in. Notifies the staff member when the browser is new.
 * @returns the cookie to set
 */
export async function rememberDevice(context: NoticeContext, told: Told): Promise<string> {
  const { staffId, headers, address } = told;
  if (!findKnownDevice(context, headers, staffId)) {
    const staff = await findStaffMember(context.db, { id: staffId });
    const notice = { kind: "new_device", ...requestDetails(headers, address) } as const;
    if (staff && Date.now() - staff.createdAt.getTime() > NEWCOMER_MS)
      await tell(context, told, {
        once: "notice of a new device",
        action: "staff.new_device",
        actorKind: "staff",
        notice,
      });
  }
  return knownDeviceCookie(context, staffId);
}
