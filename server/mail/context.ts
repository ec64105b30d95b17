import type { ActorContext } from "../accounts/context";
import type { Jobs } from "../platform/jobs/jobs";
import type { Outbox } from "./outbox";

/** What a verb that sends email needs to know of its call. */
export type MailContext = ActorContext & {
  outbox: Outbox;
  jobs: Pick<Jobs, "add">;
};
