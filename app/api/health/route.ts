import { house } from "@/server/house";
import { handleHealth } from "@/server/rest/health";

export const dynamic = "force-dynamic";

export async function GET(): Promise<Response> {
  return handleHealth(await house());
}
