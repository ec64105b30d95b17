import { peerOf } from "../rest/caller-address";
import { handlePublic } from "./handler";

/** The public handler as a Next route handler, for every verb: a wrong one gets a page, too. */
export function publicRoute(request: Request): Promise<Response> {
  return handlePublic(request, { address: peerOf(request) });
}
