import { handleStaffAuth } from "@/server/auth/staff-door";
import { house } from "@/server/house";
import { peerOf } from "@/server/rest/caller-address";

export const dynamic = "force-dynamic";

async function staffRoute(request: Request): Promise<Response> {
  return handleStaffAuth(await house(), request, peerOf(request));
}

export { staffRoute as GET, staffRoute as POST };
