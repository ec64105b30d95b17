// Writes server/platform/db/generated from schema.prisma: what `prisma generate` does, without the rest of that program, which is
// 200 MB with what it depends on. CommonJS, since the ES modules of these packages don't resolve.
const { join } = require("node:path");
const { PrismaClientTsGenerator } = require("@prisma/client-generator-ts");
const { getGenerators, loadSchemaContext } = require("@prisma/internals");

async function generate() {
  const schemaContext = await loadSchemaContext({
    schemaPath: { cliProvidedPath: join(__dirname, "schema.prisma") },
  });
  const generator = { type: "in-process", generator: new PrismaClientTsGenerator() };
  const generators = await getGenerators({
    schemaContext,
    printDownloadProgress: false,
    registry: { "prisma-client": generator },
  });
  for (const one of generators) await one.generate();
}

generate();
