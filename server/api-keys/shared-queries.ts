// The queries that other modules run in their own transactions. All others are private.
export { announceKeyChange, listApiKeys, listLiveKeysBy } from "./queries/api-keys";
export { countRequests } from "./queries/api-requests";
