// The order matters: Edge's user agent also contains Chrome, Chrome's contains Safari, and Android's contains Linux.
const browsers = { "Edg/": "Edge", "Firefox/": "Firefox", "Chrome/": "Chrome", "Safari/": "Safari" };
const iOS = { iPhone: "iOS", iPad: "iOS" };
const systems = { ...iOS, Android: "Android", "Mac OS X": "macOS", Windows: "Windows", Linux: "Linux" };

/** Returns the usual name of a user agent's browser and system, such as "Firefox on Linux". */
export function deviceName(userAgent: string | null): string {
  const find = (names: Record<string, string>) =>
    Object.entries(names).find(([mark]) => userAgent?.includes(mark))?.[1];
  return [find(browsers) ?? "A browser", find(systems)].filter(Boolean).join(" on ");
}
