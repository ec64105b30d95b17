// Other modules run these queries in their own transactions. All others are private.
export {
  askedLately,
  countRelatedOptOuts,
  findSuppressed,
  findSuppression,
  liftBounce,
  listRelatedOptOuts,
  lockSuppressions,
  type NewSuppressionRow,
  recordConfirmation,
  recordReturnRequest,
  relatedOptOuts,
  type SuppressionRow,
  suppress,
  suppressionOf,
  suppressRead,
} from "./queries/suppressions";
