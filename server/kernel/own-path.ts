const here = "http://rollcall.invalid";

/**
 * A path of ours, read as a browser reads it: an address from elsewhere would lead a person who has just signed in
 * astray. @returns "/" for anything else
 */
export function pathOfOurs(next: string | string[] | undefined): string {
  if (typeof next !== "string" || !next.startsWith("/") || !URL.canParse(next, here)) return "/";
  const { origin, pathname, search, hash } = new URL(next, here);
  // A path that begins with two slashes would name a host, too.
  return origin === here && !pathname.startsWith("//") ? pathname + search + hash : "/";
}

/** Whether every % of a path begins a character of UTF-8. */
export function isDecodable(path: string): boolean {
  try {
    return Boolean(decodeURIComponent(path));
  } catch {
    return false;
  }
}
