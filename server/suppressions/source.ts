import type { ActorContext } from "../accounts/context";
import type { SuppressionSource } from "./schema/suppressions";

// A sign-up page can't suppress addresses, because it doesn't prove who fills it in.
const sources = {
  key: "api",
  staff: "dashboard",
  operator: "operator",
  link: "person",
  page: "person",
} as const;

export const suppressionSource = ({ actor }: Pick<ActorContext, "actor">): SuppressionSource =>
  sources[actor.kind];
