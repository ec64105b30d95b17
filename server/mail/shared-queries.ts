// Other modules run these queries in their own transactions. All others are private.

export type { CancelReason } from "./delivery/reasons";
export { findSendBacklog, type SendBacklog } from "./queries/mail-batches";
export { OVER_BUDGET, ownDomainBudget, reconsiderBudgets } from "./queries/mail-budgets";
export {
  cancelMails,
  cancelNewsletterMails,
  cancelUnsent,
  cancelWithReasons,
} from "./queries/mail-state-changes";
export { nextConfirmations } from "./queries/mail-throttle";
export {
  cancelMailsOf,
  claimMailing,
  findMailingProgress,
  insertMailing,
  joinMailing,
  listOpenMailings,
  type Mailing,
  mailingState,
  restartMailing,
} from "./queries/mailings";
export { insertConfirmations } from "./queries/new-mails";
export { findSendPause } from "./queries/send-pace";
