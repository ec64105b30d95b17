export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "@/server/http-handlers";

export const dynamic = "force-dynamic";
