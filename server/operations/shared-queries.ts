// Other modules run these queries in their own transactions. All others are private.
export { findDigest, updateDigest } from "./queries/digests";
export { deleteExpired } from "./queries/housekeeping";
