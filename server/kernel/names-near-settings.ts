import { damerauDistance } from "./damerau-distance";

/** Returns names within two letters of a setting's name (one letter for a short name), with that setting. */
export function namesNearSettings(names: string[], settings: string[]): { name: string; setting: string }[] {
  const known = new Set(settings);
  return names.flatMap((name) => {
    if (known.has(name)) return [];
    const setting = settings.find(
      (one) => damerauDistance(name.toLowerCase(), one.toLowerCase()) <= (one.length < 8 ? 1 : 2),
    );
    return setting ? [{ name, setting }] : [];
  });
}
