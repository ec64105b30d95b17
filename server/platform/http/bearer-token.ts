import { timingSafeEqual } from "node:crypto";
import { digestOf } from "../../kernel/secrets";

/** Whether a request has this secret as its bearer token. Compares digests of equal length, in constant time. */
export const isBearer = (headers: Headers, secret: string) =>
  timingSafeEqual(digestOf(headers.get("authorization") ?? ""), digestOf(`Bearer ${secret}`));
