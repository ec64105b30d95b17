import { join } from "node:path";
import { projectRoot } from "../../server/project-root";
import { type Product, type Settings, startProduct } from "../../server/test/product";
import type { Mount } from "./client";

/** Nothing is limited, so that a suite may ask as much as it likes. */
export const NO_LIMITS: Settings = {
  RATE_LIMIT: "off",
  RATE_LIMIT_BULK: "off",
  RATE_LIMIT_ME: "off",
  RATE_LIMIT_SESSION: "off",
  RATE_LIMIT_ADDRESS: "off",
  LOCKOUT_AUTH: "off",
  LOCKOUT_ERRORS: "off",
};

/**
 * `next start` and nothing of ours around it: the routes below app/ answer, as they would on a serverless host. It keeps
 * a connection for 5 s unless told otherwise; one that it closes while a test writes to it would be a failure of the test.
 */
const PLAIN_NEXT = [
  process.execPath,
  join(projectRoot(), "node_modules/next/dist/bin/next"),
  "start",
  "--keepAliveTimeout=65000",
];

/** Starts the built product with this mount in front of it, and tells the mount where that is. */
export async function startMount(mount: Mount, env: Settings): Promise<Product> {
  const shared = {
    // One address for both: the document and the manual name it.
    APP_URL: "http://localhost:3000",
    AUTH_SECRET: "a secret that both of the mounts share",
    NODE_ENV: "production",
  };
  const product = await startProduct({
    env: { ...shared, ...env },
    ...(mount.name === "Next" && { program: PLAIN_NEXT }),
  });
  mount.url = product.url;
  return product;
}
