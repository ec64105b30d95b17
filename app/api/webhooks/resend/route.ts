export {
  webhookRoute as DELETE,
  webhookRoute as GET,
  webhookRoute as HEAD,
  webhookRoute as OPTIONS,
  webhookRoute as PATCH,
  webhookRoute as POST,
  webhookRoute as PUT,
} from "@/server/http/webhooks/next-route";

export const dynamic = "force-dynamic";
