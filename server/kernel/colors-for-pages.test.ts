import { expect, test } from "vitest";
import { customProperties, palette } from "./colors-for-pages";

/** WCAG's relative luminance. */
function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

test.each(["light", "dark"] as const)("texts in the %s scheme have enough contrast", (scheme) => {
  const colours = palette[scheme];
  const texts = ["ink", "quiet", "act", "active", "pending", "off", "failed"] as const;
  const onPages = texts.flatMap((text) => [[text, "paper"] as const, [text, "raised"] as const]);
  const others = [
    ...([
      ["active", "active-well"],
      ["pending", "pending-well"],
      ["failed", "failed-well"],
    ] as const),
    ...([
      ["off", "well"],
      ["quiet", "well"],
      ["quiet", "frame"],
    ] as const),
    ...([
      ["act", "act-well"],
      ["on-act", "act"],
      ["on-act", "failed"],
    ] as const),
  ];
  for (const [text, ground] of [...onPages, ...others])
    expect(contrast(colours[text], colours[ground]), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
});

test("both schemes define the same colours, all in plain hexadecimal", () => {
  expect(Object.keys(palette.dark)).toEqual(Object.keys(palette.light));
  expect(customProperties(palette.light)).toMatch(/^(--[a-z-]+:#[0-9a-f]{6};?)+$/);
  expect(palette.light.pending).not.toBe(palette.dark.pending);
});
