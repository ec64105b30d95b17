export { handleDocs as GET } from "@/server/http/docs/docs";

export const dynamic = "force-dynamic";
