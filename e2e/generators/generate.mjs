// Makes a client with each generator from the document in FILE, into node_modules/.made: node generate.mjs FILE URL
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient } from "@hey-api/openapi-ts";
import { build } from "@kubb/core";
import { pluginClient } from "@kubb/plugin-client";
import { pluginOas } from "@kubb/plugin-oas";
import { pluginTs } from "@kubb/plugin-ts";
import openapiTypescript, { astToString } from "openapi-typescript";
import { generate } from "orval";

const [file, url] = process.argv.slice(2);
const root = fileURLToPath(new URL(".", import.meta.url));
const made = join(root, "node_modules/.made");
rmSync(made, { recursive: true, force: true });
mkdirSync(made, { recursive: true });

const types = await openapiTypescript(JSON.parse(readFileSync(file, "utf8")));
writeFileSync(join(made, "openapi-typescript.ts"), astToString(types));

await createClient({
  input: file,
  output: join(made, "hey-api"),
  plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
  logs: { level: "silent" },
});

await generate({
  input: { target: file },
  output: { target: join(made, "orval.ts"), client: "fetch", mode: "single", baseUrl: url },
});

const { error, failedPlugins } = await build({
  config: {
    root,
    input: { path: file },
    output: { path: join(made, "kubb"), clean: true },
    plugins: [
      pluginOas({ generators: [], validate: false }),
      pluginTs({}),
      pluginClient({ client: "fetch", baseURL: url }),
    ],
  },
});
if (error) throw error;
for (const failed of failedPlugins) throw failed.error;
