// Other modules run these queries in their own transactions. All others are private.
export { insertActivities } from "./queries/activities";
export { clearDeletedFields, type FieldRow, listFieldRows } from "./queries/fields";
export { likeLiteral } from "./queries/filter-conditions";
export { forgetUndo } from "./queries/forget-undo";
export { openInsertQueue } from "./queries/insert-queue";
export {
  allPersonColumns,
  insertNew,
  type NewPerson,
  personArrays,
  personColumns,
  rareArray,
  unnestedPeople,
} from "./queries/new-subscribers";
export { listOwnNewsletters, type OwnNewsletterRow } from "./queries/own-newsletters";
export {
  type ActiveMoves,
  countActiveByDay,
  countActiveSince,
  countByStatus,
  countPeople,
  sumOf,
} from "./queries/people-counts";
export {
  allOf,
  conditionOf,
  type PeopleFilter,
  peopleWith,
  type ResolvedFilter,
} from "./queries/people-filter";
export { newestMatching } from "./queries/people-pages";
export { runSearchIndexer } from "./queries/search-indexer";
export { exportSubscriberMails } from "./queries/subscriber-mails";
export {
  deleteSubscribers,
  findExternalIds,
  findTaken,
  type LockedSubscriber,
  lockAddresses,
  lockSubscribers,
  readSubscribers,
  type StoredFields,
  type SubscriberRow,
  subscriberColumns,
  updateSubscribers,
} from "./queries/subscribers";
export { clearDeletedTags, numbersOfTags } from "./queries/tags";
