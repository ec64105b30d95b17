export {
  publicRoute as DELETE,
  publicRoute as GET,
  publicRoute as HEAD,
  publicRoute as OPTIONS,
  publicRoute as PATCH,
  publicRoute as POST,
  publicRoute as PUT,
} from "@/server/http/public/next-route";

export const dynamic = "force-dynamic";
