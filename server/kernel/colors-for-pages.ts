import { readProjectFile } from "./project-root";

type Colour =
  | ("frame" | "paper" | "raised" | "well" | "line" | "edge" | "faint" | "quiet" | "ink")
  | ("act" | "act-press" | "act-well" | "on-act")
  | (
      | "active"
      | "active-well"
      | "pending"
      | "pending-well"
      | "off"
      | "failed"
      | "failed-press"
      | "failed-well"
    );
type Colours = Readonly<Record<Colour, string>>;

const tokens = readProjectFile("components/ui/colors.css");

/** Returns the colours of the rule with this selector, by name without dashes. */
function paletteOf(selector: string): Colours {
  const start = tokens.indexOf(`${selector} {`);
  const rule = tokens.slice(start, tokens.indexOf("}", start));
  return Object.fromEntries(
    Array.from(rule.matchAll(/--([\w-]+): (#\w+);/g), ([, name, hex]) => [name, hex]),
  );
}

/** The dashboard's colours for output without its style sheet: emails, the manual, public pages. */
export const palette = {
  light: paletteOf("\n:root"),
  dark: paletteOf('\n:root[data-mantine-color-scheme="dark"]'),
};

/** Formats a palette as custom properties for the body of a CSS rule. */
export const customProperties = (colours: Colours): string =>
  Object.entries(colours)
    .map(([name, hex]) => `--${name}:${hex}`)
    .join(";");

/** The CSS rules that define the colours of both schemes. */
export const colourRules = `:root{color-scheme:light dark;${customProperties(palette.light)}}
@media(prefers-color-scheme:dark){:root{${customProperties(palette.dark)}}}`;

/** The browser tab's icon as a data URL: the mark in the accent colour. */
export const tabIcon = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="5.5" fill="none" stroke="${palette.light.act}" stroke-width="4"/></svg>`,
)}`;
