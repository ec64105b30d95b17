import { app } from "@/server/app";
import { handleHealth } from "@/server/http/rest/health";

export const dynamic = "force-dynamic";

export async function GET(): Promise<Response> {
  return handleHealth(await app());
}
