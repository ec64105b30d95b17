import type { MailContext } from "../mail/context";
import type { InsertQueue } from "./queries/insert-queue";

/** What a verb that changes subscribers needs to know of its call. */
export type Ctx = MailContext & { queue: InsertQueue };
