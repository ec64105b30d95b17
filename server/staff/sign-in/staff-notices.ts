import { insertAudit } from "../../accounts/shared-queries";
import { maskAddress } from "../../kernel/ip-address";
import type { Secrets } from "../../kernel/secrets";
import { HOUR_MS } from "../../kernel/time";
import type { NotifyStaff } from "../../mail/notices";
import type { Db } from "../../platform/db/client";
import { deviceName } from "../device-name";
import { findStaffMember } from "../queries/staff";
import { findKnownDevice, knownDeviceCookie } from "./known-devices";
import { countTryOf } from "./staff-tries";

export type NoticeContext = {
  db: Db;
  notify: NotifyStaff;
  appUrl: string;
  authSecrets: Secrets;
};

type Told = { staffId: string; headers: Headers; address: string | null };
type Said = { kind: "failures"; tries: number } | { kind: "new_device" };

const facts = {
  failures: { once: "notice of failures", action: "staff.sign_in_failures", actorKind: "visitor" },
  new_device: { once: "notice of a new device", action: "staff.new_device", actorKind: "staff" },
} as const;

/** Mails and records a notice about a staff member's sign-in, at most once an hour. */
async function tell(context: NoticeContext, { staffId, headers, address }: Told, said: Said): Promise<void> {
  const { once, action, actorKind } = facts[said.kind];
  const staff = await findStaffMember(context.db, { id: staffId });
  if (!staff || "waitSeconds" in (await countTryOf(context, once, staffId))) return;
  const device = deviceName(headers.get("user-agent"));
  const notice = { ...said, at: new Date(), device, network: maskAddress(address) };
  await context.db.$transaction(async (tx) => {
    await context.notify(tx, staff, notice);
    await insertAudit(tx, {
      ...{ accountId: staff.accountId, action, subjectId: staffId, address, actorKind },
      actorId: actorKind === "staff" ? staffId : null,
      ...("tries" in said && { detail: { failures: said.tries, name: staff.name } }),
    });
  });
}

/** Notifies a staff member of failed sign-ins to their account. */
export const notifyOfFailures = (context: NoticeContext, { tries, ...told }: Told & { tries: number }) =>
  tell(context, told, { kind: "failures", tries });

/**
 * Remembers the browser of a sign-in. Notifies the staff member when the browser is new.
 * @returns the cookie to set
 */
export async function rememberDevice(context: NoticeContext, told: Told): Promise<string> {
  const { staffId, headers } = told;
  if (!findKnownDevice(context, headers, staffId)) {
    const staff = await findStaffMember(context.db, { id: staffId });
    // Staff who joined within an hour know their device.
    if (staff && Date.now() - staff.createdAt.getTime() > HOUR_MS)
      await tell(context, told, { kind: "new_device" });
  }
  return knownDeviceCookie(context, staffId);
}
