import { z } from "zod";
import { copyKinds, type SkippedCounts } from "./bulk-actions";
import { Consent } from "./imports";

/** Where people are copied or moved to. */
export const CopyTarget = z.object({ to: z.uuid("Choose a newsletter.") });

/** And how: with what staff state of those who become active there; null: everybody is asked to confirm. */
export const CopyInput = CopyTarget.extend({ kind: z.enum(copyKinds), consent: Consent.nullable() });
export type CopyInput = z.output<typeof CopyInput>;

/** What a copy would do now, for the question before it. */
export type CopyPlan = {
  /** Who would be added, by what they are here. */
  active: number;
  pending: number;
  /** Who would not, by reason. */
  skipped: SkippedCounts;
  /** Labels of the fields here that the other newsletter does not have, or has with another type. */
  fieldsLeftOut: string[];
  /** Of those it has: where values that can't be chosen there are left out. */
  choicesLeftOut: string[];
  /** How long the confirmations wait there. */
  delaySeconds: number;
};
