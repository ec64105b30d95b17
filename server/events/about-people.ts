// What the log and the webhooks know about people. It is a lower layer than the rest of this module: subscribers call it.
export { listMessagesAbout, redactMessages } from "./queries/about-people";
