import { app } from "@/server/app";
import { peerOf } from "@/server/http/rest/caller-address";
import { handleTrpc } from "@/server/trpc/handler";

export const dynamic = "force-dynamic";

async function trpcRoute(request: Request): Promise<Response> {
  return handleTrpc(await app(), request, peerOf(request));
}

export { trpcRoute as GET, trpcRoute as POST };
