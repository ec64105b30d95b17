// In this order: Edge also calls itself Chrome, and Chrome Safari; Android also calls itself Linux.
const browsers = { "Edg/": "Edge", "Firefox/": "Firefox", "Chrome/": "Chrome", "Safari/": "Safari" };
const iOS = { iPhone: "iOS", iPad: "iOS" };
const systems = { ...iOS, Android: "Android", "Mac OS X": "macOS", Windows: "Windows", Linux: "Linux" };

/** A browser and system by the name people know. */
export function deviceName(userAgent: string | null): string {
  const find = (names: Record<string, string>) =>
    Object.entries(names).find(([mark]) => userAgent?.includes(mark))?.[1];
  return [find(browsers) ?? "A browser", find(systems)].filter(Boolean).join(" on ");
}
