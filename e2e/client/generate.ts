// Writes schema.d.ts from the OpenAPI document: npx tsx e2e/client/generate.ts
// The generator needs TypeScript 5's API, which the checker's version no longer has, so npm fetches both for this one run.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openApiDocument } from "../../server/http/docs/openapi";

const target = fileURLToPath(new URL("schema.d.ts", import.meta.url));

/** What the types were made from; the test compares it with the document of today. */
export function fingerprint(): string {
  return createHash("sha256")
    .update(JSON.stringify(openApiDocument("http://localhost:3000")))
    .digest("hex");
}

function generate(): void {
  const folder = mkdtempSync(join(tmpdir(), "rollcall-client-"));
  try {
    const source = join(folder, "openapi.json");
    const made = join(folder, "schema.d.ts");
    writeFileSync(source, JSON.stringify(openApiDocument("http://localhost:3000")));
    const packages = ["--package=openapi-typescript@7.13.0", "--package=typescript@5.9.3"];
    execFileSync(
      "npm",
      [
        "exec",
        "--yes",
        ...packages,
        "--",
        "openapi-typescript",
        source,
        "-o",
        made,
        "--default-non-nullable=false",
      ],
      {
        cwd: folder,
        stdio: "inherit",
      },
    );
    writeFileSync(
      target,
      `// Made by generate.ts from the document ${fingerprint()}\n${readFileSync(made, "utf8")}`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) generate();
