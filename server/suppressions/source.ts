import type { ActorContext } from "../accounts/context";
import type { SuppressionSource } from "./schema/suppressions";

// A sign-up page suppresses nobody: whoever fills it in shows nothing of who they are.
const sources = {
  key: "api",
  staff: "dashboard",
  operator: "operator",
  link: "person",
  page: "person",
} as const;

/** Who suppresses an address when this caller does. */
export const suppressionSource = ({ actor }: Pick<ActorContext, "actor">): SuppressionSource =>
  sources[actor.kind];
