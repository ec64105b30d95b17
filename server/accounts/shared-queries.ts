// These queries are for other modules, inside their own transactions. All other queries of this module are private.
export {
  findAccount,
  findOnlyAccount,
  hasAccount,
  listAccounts,
  listOwners,
  lockAccount,
  lockAccounts,
  updateApiAccess,
  updateSecondFactorRequired,
} from "./queries/accounts";
export { type AuditView, countInAudit, insertAudit, listAudit, listAuditOf } from "./queries/audit";
export {
  findNamedNewsletter,
  findNewsletter,
  listNewsletters,
  lockNewsletter,
  type NewsletterRow,
} from "./queries/newsletters";
