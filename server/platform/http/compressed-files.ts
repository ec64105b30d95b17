import { createReadStream, existsSync, readdirSync, statSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";

const PLACE = "/_next/static/";
const types = { js: "application/javascript; charset=UTF-8", css: "text/css; charset=UTF-8" };

/**
 * Sends the dashboard's scripts and styles as the build compressed them with Brotli: a sixth smaller than with Next's gzip,
 * and without its work for each response. @returns whether the request was for such a file
 */
export function compressedFiles(
  root: string,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const folder = join(root, ".next/static");
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  const compressed = new Map(
    names
      .filter((name) => name.endsWith(".br"))
      .map((name) => [
        PLACE + name.replaceAll("\\", "/").slice(0, -".br".length),
        { path: join(folder, name), size: statSync(join(folder, name)).size },
      ]),
  );
  return (request, response) => {
    const url = (request.url ?? "").split("?")[0] as string;
    const file = compressed.get(url);
    if (!file || !/\bbr\b/.test(String(request.headers["accept-encoding"]))) return false;
    response.writeHead(200, {
      "Content-Type": types[url.endsWith(".css") ? "css" : "js"],
      "Content-Encoding": "br",
      "Content-Length": file.size,
      "Cache-Control": "public, max-age=31536000, immutable",
      Vary: "Accept-Encoding",
    });
    if (request.method === "HEAD") response.end();
    else
      createReadStream(file.path)
        .once("error", () => response.destroy())
        .pipe(response);
    return true;
  };
}
