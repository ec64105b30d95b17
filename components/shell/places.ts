import { icons } from "../ui/icons";

/** Where one can go in a newsletter, in the order of the navigation; `key` follows G. */
export const places = [
  { path: "", label: "Overview", icon: icons.overview, key: "o" },
  { path: "/people", label: "People", icon: icons.people, key: "p" },
  { path: "/imports", label: "Imports", icon: icons.imports, key: "i" },
  { path: "/suppressions", label: "Suppressions", icon: icons.suppressions, key: "u" },
  { path: "/mails", label: "Emails", icon: icons.mails, key: "m" },
  { path: "/api", label: "API", icon: icons.api, key: "a" },
  { path: "/settings", label: "Settings", icon: icons.settings, key: "s" },
] as const;
