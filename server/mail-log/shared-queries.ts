// The queries that other modules run in their own transactions. All others are private.
export { confirmedSince, countAttention } from "./queries/mails";
