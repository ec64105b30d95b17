export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "@/server/handlers";

export const dynamic = "force-dynamic";
