import { house } from "../house";
import { peerOf } from "./caller-address";
import { handleRest } from "./door";

/** The API's door as a Next route handler, for every verb: what main.ts mounts in front of Next, behind it. */
export async function restRoute(request: Request): Promise<Response> {
  return handleRest(await house(), request, peerOf(request));
}
