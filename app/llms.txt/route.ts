import { app } from "@/server/app";
import { handleManual } from "@/server/http/docs/docs";

export const dynamic = "force-dynamic";

export async function GET(): Promise<Response> {
  return handleManual((await app()).appUrl);
}
