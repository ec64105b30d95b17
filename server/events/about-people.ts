// The data about people in the log and the webhooks. Subscribers call this file, so it is a lower layer than the rest
// of this module.
export { listMessagesAbout, redactMessages } from "./queries/about-people";
