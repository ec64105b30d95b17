import type { Tx } from "../platform/db/client";
import type { Notice } from "../staff/schema/staff-notices";
import type { Outbox } from "./outbox";
import { renderNotice } from "./templates/render-notice";

/** Mails a staff member, in the transaction of the event. */
export type NotifyStaff = (tx: Tx, to: { id: string; email: string }, notice: Notice) => Promise<void>;

/** @param home Rollcall's URL, without a trailing slash */
export const openNotices =
  (outbox: Pick<Outbox, "postToStaff">, home: string): NotifyStaff =>
  async (tx, { id, email }, notice) => {
    const mail = await renderNotice(notice, home);
    await outbox.postToStaff(tx, { kind: "notice", staffId: id, toEmail: email, ...mail });
  };
