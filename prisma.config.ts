import { defineConfig } from "prisma/config";

// `generate` never runs the schema engine, but the CLI wants to download it first, which fails offline.
// This file is loaded before that check, and any existing file satisfies it.
if (process.argv.includes("generate")) process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  // Only `prisma migrate` and `prisma studio` read it; the product's own settings are in server/config.ts.
  ...(process.env.DATABASE_URL ? { datasource: { url: process.env.DATABASE_URL } } : {}),
});
