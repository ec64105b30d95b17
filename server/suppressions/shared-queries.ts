// Other modules run these queries in their own transactions. All others are private.
export { countRelatedOptOuts, listRelatedOptOuts, relatedOptOuts } from "./queries/related-opt-outs";
export {
  askedLately,
  findSuppressed,
  findSuppression,
  liftBounce,
  lockSuppressions,
  type NewSuppressionRow,
  recordConfirmation,
  recordReturnRequest,
  type SuppressionRow,
  suppress,
  suppressionOf,
  suppressRead,
} from "./queries/suppressions";
