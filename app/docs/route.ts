export { handleDocs as GET } from "@/server/rest/docs";

export const dynamic = "force-dynamic";
