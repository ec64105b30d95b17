const here = "http://rollcall.invalid";

/**
 * Returns a path on this site, parsed like a browser does. A foreign URL could lead a person who just signed in to a
 * phishing page.
 * @returns "/" for anything else
 */
export function ownPathOrRoot(next: string | string[] | undefined): string {
  if (typeof next !== "string" || !next.startsWith("/") || !URL.canParse(next, here)) return "/";
  const { origin, pathname, search, hash } = new URL(next, here);
  // A path that begins with two slashes also names a host.
  return origin === here && !pathname.startsWith("//") ? pathname + search + hash : "/";
}

/** Whether a path's percent-encoding is valid UTF-8. */
export function isDecodable(path: string): boolean {
  try {
    return Boolean(decodeURIComponent(path));
  } catch {
    return false;
  }
}
