// Other modules run these queries in their own transactions. All others are private.
export { confirmedSince, countAttention } from "./queries/mails";
