export { handleDocs as GET } from "@/server/http/rest/docs";

export const dynamic = "force-dynamic";
