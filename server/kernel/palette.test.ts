import { expect, test } from "vitest";
import { customProperties, palette } from "./palette";

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

test.each(["light", "dark"] as const)("what is written in the %s scheme can be read", (scheme) => {
  const colours = palette[scheme];
  const texts = ["ink", "quiet", "act", "active", "pending", "off", "failed"] as const;
  for (const text of texts) {
    for (const ground of ["paper", "raised"] as const) {
      expect(contrast(colours[text], colours[ground]), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    }
  }
  // Pills, what is on the frame, and what is read in a well.
  for (const [text, ground] of [
    ["active", "active-well"],
    ["pending", "pending-well"],
    ["failed", "failed-well"],
    ["off", "well"],
    ["quiet", "well"],
    ["quiet", "frame"],
    ["act", "act-well"],
  ] as const)
    expect(contrast(colours[text], colours[ground]), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
  expect(contrast(colours["on-act"], colours.act)).toBeGreaterThanOrEqual(4.5);
  expect(contrast(colours["on-act"], colours.failed)).toBeGreaterThanOrEqual(4.5);
});

test("both schemes have the same colours, each a plain hexadecimal one", () => {
  expect(Object.keys(palette.dark)).toEqual(Object.keys(palette.light));
  expect(customProperties(palette.light)).toMatch(/^(--[a-z-]+:#[0-9a-f]{6};?)+$/);
  expect(palette.light.pending).not.toBe(palette.dark.pending);
});
