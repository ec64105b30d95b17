import {
  Button,
  type CSSVariablesResolver,
  createTheme,
  Input,
  type MantineColorsTuple,
} from "@mantine/core";

// One accent, ink blue; 6 is the light scheme's, 4 the dark one's.
const act: MantineColorsTuple = [
  "#eef1fd",
  "#dfe4fb",
  "#c3cdf8",
  "#a5b4ff",
  "#8fa2ff",
  "#5b73ea",
  "#3450d9",
  "#2a42b8",
  "#22368f",
  "#1b2a6b",
];
const gray: MantineColorsTuple = [
  "#f7f7f4",
  "#f3f3ef",
  "#eaeae5",
  "#e2e2dc",
  "#d3d3cc",
  "#a9aba5",
  "#5d6066",
  "#484b50",
  "#313338",
  "#1b1c1e",
];
const dark: MantineColorsTuple = [
  "#e8e8e6",
  "#cbccce",
  "#a2a5aa",
  "#6f7279",
  "#34373c",
  "#25272b",
  "#191b1e",
  "#111214",
  "#0d0e10",
  "#08090a",
];
const red: MantineColorsTuple = [
  "#fdf0ee",
  "#fadcd8",
  "#f4b9b1",
  "#ffa89f",
  "#ff8f85",
  "#d8433a",
  "#b3261e",
  "#961f18",
  "#771913",
  "#58120e",
];

export const theme = createTheme({
  colors: { act, gray, dark, red },
  primaryColor: "act",
  primaryShade: { light: 6, dark: 4 },
  autoContrast: true,
  luminanceThreshold: 0.32,
  black: "#1b1c1e",
  white: "#ffffff",
  fontFamily: '"Geist Variable", ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontFamilyMonospace: '"Geist Mono Variable", ui-monospace, "SF Mono", Menlo, Consolas, monospace',
  fontSizes: { xs: "12px", sm: "13px", md: "14px", lg: "16px", xl: "20px" },
  lineHeights: { xs: "1.35", sm: "1.4", md: "1.45", lg: "1.5", xl: "1.3" },
  spacing: { xs: "8px", sm: "12px", md: "16px", lg: "24px", xl: "32px" },
  radius: { xs: "4px", sm: "6px", md: "8px", lg: "10px", xl: "12px" },
  defaultRadius: "md",
  respectReducedMotion: true,
  focusRing: "auto",
  cursorType: "pointer",
  components: {
    Button: Button.extend({
      defaultProps: { size: "sm" },
      vars: (_theme, { variant, color }) => ({
        root: {
          "--button-height": "32px",
          "--button-padding-x": "12px",
          "--button-fz": "13px",
          // Which text is read best depends on the scheme, which Mantine's own choice does not know.
          ...((variant ?? "filled") === "filled" && {
            "--button-color": color === "red" ? "var(--on-failed)" : "var(--on-act)",
          }),
        },
      }),
    }),
    Input: Input.extend({
      vars: () => ({
        wrapper: { "--input-height": "34px", "--input-fz": "14px", "--input-padding": "10px" },
        input: {},
      }),
    }),
    Modal: {
      defaultProps: {
        centered: true,
        overlayProps: { backgroundOpacity: 0.35 },
        transitionProps: { duration: 140 },
        closeButtonProps: { "aria-label": "Close" },
      },
    },
    Menu: { defaultProps: { shadow: "md", transitionProps: { duration: 120 } } },
  },
});

/** look.md's colours, where Mantine would choose its own. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-body": "#fbfbf9",
    "--mantine-color-text": "#1b1c1e",
    "--mantine-color-dimmed": "#5d6066",
    "--mantine-color-default": "#ffffff",
    "--mantine-color-default-hover": "#f3f3ef",
    "--mantine-color-default-border": "#dbdbd4",
    "--mantine-color-placeholder": "#6f7279",
    "--mantine-color-error": "#b3261e",
    "--mantine-color-anchor": "#3450d9",
  },
  dark: {
    "--mantine-color-body": "#111214",
    "--mantine-color-text": "#e8e8e6",
    "--mantine-color-dimmed": "#a2a5aa",
    "--mantine-color-default": "#191b1e",
    "--mantine-color-default-hover": "#212327",
    "--mantine-color-default-border": "#34373c",
    "--mantine-color-placeholder": "#8c8f95",
    "--mantine-color-error": "#ff8f85",
    "--mantine-color-anchor": "#8fa2ff",
    "--mantine-primary-color-contrast": "#111214",
  },
});
