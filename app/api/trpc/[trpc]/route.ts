import { house } from "@/server/house";
import { peerOf } from "@/server/rest/caller-address";
import { handleTrpc } from "@/server/trpc/door";

export const dynamic = "force-dynamic";

async function trpcRoute(request: Request): Promise<Response> {
  return handleTrpc(await house(), request, peerOf(request));
}

export { trpcRoute as GET, trpcRoute as POST };
