import {
  Button,
  type CSSVariablesResolver,
  createTheme,
  Input,
  type MantineColorsTuple,
  mergeThemeOverrides,
} from "@mantine/core";
import { createElement } from "react";
import type { Texts } from "../texts/texts";
import { icons } from "./icons";

const tuple = (...names: string[]) => names.map((name) => `var(--${name})`) as unknown as MantineColorsTuple;
const shades = (colour: string) =>
  tuple(`${colour}-well`, `${colour}-well`, ...Array.from({ length: 8 }, () => colour));

const look = createTheme({
  // All shades come from colors.css, where colours follow the scheme.
  colors: {
    act: shades("act"),
    red: shades("failed"),
    gray: tuple("well", "well", "line", "line", "edge", "faint", "quiet", "quiet", "ink", "ink"),
    dark: tuple("ink", "ink", "quiet", "faint", "edge", "line", "raised", "paper", "paper", "paper"),
  },
  primaryColor: "act",
  black: "var(--ink)",
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
      vars: (_theme, { variant }) => ({
        root: {
          "--button-height": "32px",
          "--button-padding-x": "12px",
          "--button-fz": "13px",
          ...((variant ?? "filled") === "filled" && { "--button-color": "var(--on-act)" }),
        },
      }),
    }),
    Input: Input.extend({
      vars: () => ({
        wrapper: { "--input-height": "34px", "--input-fz": "14px", "--input-padding": "10px" },
        input: {},
      }),
    }),
    ActionIcon: { defaultProps: { variant: "subtle", color: "gray" } },
    // This colour is readable on the accent in both schemes.
    Checkbox: { defaultProps: { iconColor: "var(--on-act)" } },
    Radio: { defaultProps: { iconColor: "var(--on-act)" } },
    Menu: {
      defaultProps: {
        shadow: "md",
        transitionProps: { duration: 120 },
        checkIcon: createElement(icons.check),
      },
    },
    Textarea: { defaultProps: { autosize: true } },
  },
});

/** The theme of Mantine's components, with labels for their built-in buttons. */
export const themeWith = (t: Texts<"ui">) =>
  mergeThemeOverrides(look, {
    components: {
      Modal: {
        defaultProps: {
          centered: true,
          overlayProps: { backgroundOpacity: 0.35 },
          transitionProps: { duration: 140 },
          closeButtonProps: { "aria-label": t("panel.close") },
        },
      },
      Notification: { defaultProps: { closeButtonProps: { "aria-label": t("notification.dismiss") } } },
      PasswordInput: {
        defaultProps: {
          visibilityToggleButtonProps: { "aria-label": t("password.toggle"), tabIndex: 0 },
        },
      },
    },
  });

const variablesOf = (name: string, colour: string) => ({
  [`--mantine-color-${name}-filled`]: `var(--${colour})`,
  [`--mantine-color-${name}-filled-hover`]: `var(--${colour}-press)`,
  [`--mantine-color-${name}-text`]: `var(--${colour})`,
  [`--mantine-color-${name}-light`]: `var(--${colour}-well)`,
  [`--mantine-color-${name}-light-hover`]: `var(--${colour}-well)`,
  [`--mantine-color-${name}-light-color`]: `var(--${colour})`,
});
const variables = {
  "--mantine-color-body": "var(--paper)",
  "--mantine-color-text": "var(--ink)",
  "--mantine-color-bright": "var(--ink)",
  "--mantine-color-dimmed": "var(--quiet)",
  "--mantine-color-default": "var(--raised)",
  "--mantine-color-default-hover": "color-mix(in srgb, var(--ink) 5%, var(--raised))",
  "--mantine-color-default-color": "var(--ink)",
  "--mantine-color-default-border": "var(--edge)",
  "--mantine-color-placeholder": "var(--faint)",
  "--mantine-color-error": "var(--failed)",
  "--mantine-color-anchor": "var(--act)",
  "--mantine-primary-color-contrast": "var(--on-act)",
  ...variablesOf("act", "act"),
  ...variablesOf("red", "failed"),
  "--mantine-color-gray-light-hover": "var(--well)",
  "--mantine-color-gray-light-color": "var(--ink)",
};

/** Overrides the colours that Mantine computes. Mantine sets them per scheme, so both schemes need the override. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: variables,
  dark: variables,
});
