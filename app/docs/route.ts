import { app } from "@/server/app";
import { handleDocs } from "@/server/http/docs/docs";

export const dynamic = "force-dynamic";

export async function GET(): Promise<Response> {
  return handleDocs((await app()).appUrl);
}
