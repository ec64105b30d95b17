// These queries are for other modules, inside their own transactions. All other queries of this module are private.
export { announceKeyChange, listApiKeys, listLiveKeysBy } from "./queries/api-keys";
export { countRequests } from "./queries/api-requests";
