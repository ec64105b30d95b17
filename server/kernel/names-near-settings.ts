import { damerauDistance } from "./damerau-distance";

/** The names that are up to two letters from a setting's, or one from a short one's; and that setting. */
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
