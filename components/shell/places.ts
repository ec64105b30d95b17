import { icons } from "../ui/icons";

/** A newsletter's pages, in navigation order. `key` is the shortcut after G. */
export const places = [
  { path: "", name: "overview", icon: icons.overview, key: "o" },
  { path: "/people", name: "people", icon: icons.people, key: "p" },
  { path: "/imports", name: "imports", icon: icons.imports, key: "i" },
  { path: "/suppressions", name: "suppressions", icon: icons.suppressions, key: "u" },
  { path: "/mails", name: "mails", icon: icons.mails, key: "m" },
  { path: "/api", name: "api", icon: icons.api, key: "a" },
  { path: "/settings", name: "settings", icon: icons.settings, key: "s" },
] as const;
