import { join } from "node:path";
import { projectRoot } from "../../server/kernel/project-root";
import { type Product, type Settings, startProduct } from "../../server/test/product";

/** Switches all limits off. */
export const NO_LIMITS: Settings = {
  RATE_LIMIT_READ: "off",
  RATE_LIMIT_WRITE: "off",
  RATE_LIMIT_BULK: "off",
  RATE_LIMIT_STREAM: "off",
  RATE_LIMIT_ME: "off",
  RATE_LIMIT_SESSION: "off",
  RATE_LIMIT_ADDRESS: "off",
  RATE_LIMIT_SIGN_UP: "off",
  LOCKOUT_AUTH: "off",
  LOCKOUT_ERRORS: "off",
};

/** Settings that the processes of one database share. */
const shared: Settings = {
  APP_URL: "http://localhost:3000",
  AUTH_SECRET: "a secret that all of the processes share",
  NODE_ENV: "production",
};

/** Starts the built product. */
export const startContract = (env: Settings): Promise<Product> =>
  startProduct({ env: { ...shared, ...env } });

/** Starts `next start` and nothing of ours around it: the routes below app/ answer. */
export function startPlainNext(env: Settings): Promise<Product> {
  const next = join(projectRoot(), "node_modules/next/dist/bin/next");
  return startProduct({ env: { ...shared, ...env }, program: [process.execPath, next, "start"] });
}
