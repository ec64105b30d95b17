import { type Product, type Settings, startProduct } from "../../server/testing/product";
import type { Mount } from "./client";

/** Nothing is limited, so that a suite may ask as much as it likes. */
export const NO_LIMITS: Settings = {
  RATE_LIMIT: "off",
  RATE_LIMIT_BULK: "off",
  LOCKOUT_AUTH: "off",
  LOCKOUT_ERRORS: "off",
};

/** Starts the built product with this mount in front of it, and tells the mount where that is. */
export async function startMount(mount: Mount, env: Settings): Promise<Product> {
  const product = await startProduct({ env: { ...env, FAST_DOOR: mount.name === "Next" ? "off" : "on" } });
  mount.url = product.url;
  return product;
}
