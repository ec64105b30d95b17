export { handleDocsScript as GET } from "@/server/http/rest/docs";

export const dynamic = "force-dynamic";
