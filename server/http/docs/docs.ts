import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Palette, palette } from "../../palette";
import { projectRoot } from "../../project-root";
import { chapters } from "./manual";

const style = `@font-face{font-family:Geist;src:url("/type/geist-latin-1.woff2") format("woff2");font-weight:400 600;font-display:swap}
body{margin:0}`;

/** The dashboard's colours by the reference's own names. */
const colours = (own: Palette) => `--scalar-background-1:${own.paper};--scalar-background-2:${own.well};
--scalar-background-3:${own.line};--scalar-background-accent:${own["act-well"]};--scalar-border-color:${own.line};
--scalar-color-1:${own.ink};--scalar-color-2:${own.quiet};--scalar-color-3:${own.quiet};--scalar-color-accent:${own.act};
--scalar-button-1:${own.act};--scalar-button-1-hover:${own["act-press"]};--scalar-button-1-color:${own["on-act"]};
--scalar-color-green:${own.active};--scalar-color-red:${own.failed};--scalar-color-yellow:${own.pending};
--scalar-color-blue:${own.act};--scalar-color-orange:${own.pending}`;

const theme = `:root{--scalar-font:Geist,ui-sans-serif,system-ui,sans-serif;
--scalar-font-code:ui-monospace,"SF Mono",Menlo,Consolas,monospace;--scalar-radius:6px;--scalar-radius-lg:8px;
--scalar-radius-xl:8px;--scalar-bold:600;--scalar-semibold:500}
.light-mode{${colours(palette.light)}}
.dark-mode{${colours(palette.dark)}}
section:focus-visible{outline:none}`;

/** Everything from here: no fonts, no telemetry, no assistants of somebody else's. */
const settings = {
  url: "/api/v1/openapi.json",
  // Relative, so that calls go to the address the reader came by: the API answers no other origin's pages.
  servers: [{ url: "/", description: "This instance" }],
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  persistAuth: false,
  documentDownloadType: "json",
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  customCss: theme,
  metaData: { title: "Rollcall API" },
};

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Rollcall API</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<noscript>This manual needs scripts. The same text without them: <a href="/llms.txt">/llms.txt</a></noscript>
<script id="api-reference" data-configuration="${JSON.stringify(settings).replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"></script>
<script src="/docs/scalar.js"></script>
</body>
</html>
`;

/** The interactive reference. Scripts from our own origin only; styles inline, since the reference writes its own. */
export function handleDocs(): Response {
  return new Response(page, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-cache",
      "Content-Security-Policy":
        "default-src 'none'; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; font-src 'self' data:; " +
        "img-src 'self' data: blob:; connect-src 'self'; worker-src blob:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
    },
  });
}

let script: { bytes: Uint8Array<ArrayBuffer>; etag: string } | undefined;

/** The reference's program, as the installed package ships it. */
export function handleDocsScript(request: Request): Response {
  if (!script) {
    const file = join(projectRoot(), "node_modules/@scalar/api-reference/dist/browser/standalone.js");
    const bytes = new Uint8Array(readFileSync(file));
    script = { bytes, etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"` };
  }
  const headers = { ETag: script.etag, "Cache-Control": "public, max-age=3600, must-revalidate" };
  if (request.headers.get("if-none-match") === script.etag)
    return new Response(null, { status: 304, headers });
  return new Response(script.bytes, {
    headers: { ...headers, "Content-Type": "text/javascript; charset=utf-8" },
  });
}

/** The manual as plain Markdown, for programs that read. @param appUrl this instance's own */
export function handleManual(appUrl: string): Response {
  return new Response(`# Rollcall API\n\n${chapters(appUrl)}\nOpenAPI 3.1: ${appUrl}/api/v1/openapi.json\n`, {
    headers: { "Content-Type": "text/markdown; charset=utf-8", "X-Content-Type-Options": "nosniff" },
  });
}
