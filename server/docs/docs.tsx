import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "fflate";
import { pack } from "tar-stream";
import { colourRules } from "../kernel/colors-for-pages";
import { readProjectFile } from "../kernel/project-root";
import { version } from "../kernel/version";
import { inlineSource, renderDocument } from "../platform/http/render-document";
import { chapterLinks, DocsDocument, Markdown } from "./document";
import { manualForPrograms } from "./llms";
import { guides } from "./manual";
import { openApiText } from "./openapi";
import { ReferencePage } from "./reference";

/** Files of clients/js that are part of the package. */
const FILES = ["index.js", "index.d.ts", "openapi.d.ts", "README.md"];
/** npm's own time for files in packages. */
const MTIME = new Date("1985-10-26T08:15:00Z");

async function makePackage() {
  const manifest = { ...JSON.parse(readProjectFile("clients/js/package.json")), version };
  const files: [name: string, text: string][] = [
    ["package.json", `${JSON.stringify(manifest, null, 2)}\n`],
    ...FILES.map((name): [string, string] => [name, readProjectFile(`clients/js/${name}`)]),
    ["LICENSE", readProjectFile("LICENSE")],
  ];
  const tar = pack();
  for (const [name, text] of files) tar.entry({ name: `package/${name}`, mode: 0o644, mtime: MTIME }, text);
  tar.finalize();
  // Not node:zlib, whose output differs between versions of Node.js: lock files of npm store a digest of the bytes.
  const bytes = gzipSync(await buffer(tar), { level: 9, mtime: 0 });
  return { bytes, etag: `"${createHash("sha256").update(bytes).digest("base64url")}"` };
}

let made: ReturnType<typeof makePackage> | undefined;

const style = `${colourRules}\n${readProjectFile("server/docs/reference.css")}`;

const HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "no-cache",
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${inlineSource(style)}`,
    "font-src 'self'",
    "img-src data:",
    "connect-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; "),
  "Referrer-Policy": "no-referrer",
};

const operatorsGuide = readProjectFile("server/docs/operators.md");

/** Rejects methods that change something. */
const rejectMethod = ({ method }: Request): Response | null =>
  method === "GET" || method === "HEAD"
    ? null
    : new Response(null, { status: 405, headers: { Allow: "GET, HEAD" } });

/** Answers with a text that is made once for each URL of the instance. */
function textHandler(headers: Record<string, string>, write: (url: string) => string) {
  const texts = new Map<string, string>();
  return ({ appUrl }: { appUrl: string }, request: Request): Response => {
    const rejected = rejectMethod(request);
    if (rejected) return rejected;
    const text = texts.get(appUrl) ?? write(appUrl);
    texts.set(appUrl, text);
    return new Response(text, { headers });
  };
}

/** The API reference with its "Try it" forms, made from the OpenAPI document. */
export const handleDocs = textHandler(HEADERS, (url) =>
  renderDocument(<ReferencePage document={JSON.parse(openApiText(url))} style={style} url={url} />),
);

/** The guide for operators. The guide is public and contains no data of this instance. */
export const handleOperatorsGuide = textHandler(HEADERS, () =>
  renderDocument(
    <DocsDocument title="Running Rollcall" style={style} contents={chapterLinks(operatorsGuide)}>
      <p className="quiet">
        For developers: <a href="/docs">the API</a>
      </p>
      <Markdown text={operatorsGuide} />
    </DocsDocument>,
  ),
);

/** The guides for moving to Rollcall, sending, webhooks and going live. */
export const handleGuides = textHandler(HEADERS, (url) => {
  const text = guides(url);
  return renderDocument(
    <DocsDocument title="Guides" style={style} contents={chapterLinks(text)}>
      <p className="quiet">
        For developers: <a href="/docs">the API</a>. For operators:{" "}
        <a href="/docs/operators">the operators’ guide</a>
      </p>
      <Markdown text={text} />
    </DocsDocument>,
  );
});

/** The manual as plain Markdown, for programs. */
export const handleManual = textHandler(
  { "Content-Type": "text/markdown; charset=utf-8" },
  manualForPrograms,
);

/** The JavaScript client as a package for npm. The same version always has the same bytes. */
export async function handleClientPackage(_app: unknown, request: Request): Promise<Response> {
  const rejected = rejectMethod(request);
  if (rejected) return rejected;
  made ??= makePackage();
  const { bytes, etag } = await made;
  const headers = { "Content-Type": "application/gzip", "Cache-Control": "no-cache", ETag: etag };
  if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
  return new Response(bytes, { headers });
}
