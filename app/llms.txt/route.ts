import { house } from "@/server/house";
import { handleManual } from "@/server/rest/docs";

export const dynamic = "force-dynamic";

export async function GET(): Promise<Response> {
  return handleManual((await house()).appUrl);
}
