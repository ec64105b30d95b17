import { type Product, type Settings, startProduct } from "../../server/test/product";
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
  // One address for both: the document and the manual name it.
  const APP_URL = "http://localhost:3000";
  const FAST_DOOR = mount.name === "Next" ? "off" : "on";
  const product = await startProduct({ env: { APP_URL, ...env, FAST_DOOR } });
  mount.url = product.url;
  return product;
}
