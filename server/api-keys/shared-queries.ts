// Other modules run these queries in their own transactions. All others are private.
export { announceKeyChange, listApiKeys } from "./queries/api-keys";
export { countRequests } from "./queries/api-requests";
