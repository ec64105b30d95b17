// A client of the REST API, typed by the OpenAPI document (schema.d.ts is generated from it).
import createClient from "openapi-fetch";
import type { paths } from "./schema";

/** @param baseUrl such as http://localhost:3000; @param key begins with sk_ */
export function rollcall(baseUrl: string, key: string) {
  return createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
}
