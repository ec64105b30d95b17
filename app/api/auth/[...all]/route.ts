import { app } from "@/server/app";
import { handleStaffAuth } from "@/server/auth/staff-handler";
import { peerOf } from "@/server/http/rest/caller-address";

export const dynamic = "force-dynamic";

async function staffRoute(request: Request): Promise<Response> {
  return handleStaffAuth(await app(), request, peerOf(request));
}

export { staffRoute as GET, staffRoute as POST };
