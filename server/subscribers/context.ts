import type { MailContext } from "../mail/context";
import type { InsertQueue } from "./queries/insert-queue";

/** The context of calls that add or change subscribers. */
export type Ctx = MailContext & { queue: InsertQueue };
