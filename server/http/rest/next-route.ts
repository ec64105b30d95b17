import { app } from "../../app";
import { peerOf } from "./caller-address";
import { handleRest } from "./handler";

/** The REST handler as a Next route handler, for every verb: what main.ts mounts in front of Next, behind it. */
export async function restRoute(request: Request): Promise<Response> {
  return handleRest(await app(), request, peerOf(request));
}
