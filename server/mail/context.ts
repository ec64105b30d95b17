import type { ActorContext } from "../accounts/context";
import type { Jobs } from "../platform/jobs/jobs";
import type { Outbox } from "./outbox";

export type MailContext = ActorContext & {
  outbox: Outbox;
  jobs: Pick<Jobs, "add">;
};
