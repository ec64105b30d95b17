// Other modules run these queries in their own transactions. All others are private.
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
