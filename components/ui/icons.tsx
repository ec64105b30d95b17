import type { ReactNode } from "react";

// Icons on a 16 px grid with 1.5 px lines. Each icon needs a word beside it or a label.
function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      width={16}
      height={16}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}

const line = (d: string) => () => (
  <Icon>
    <path d={d} />
  </Icon>
);

export const icons = {
  suppressions: line("M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM4.2 4.2l7.6 7.6"),
  overview: line("M2.5 13.5V9.5M6.2 13.5V6M9.8 13.5V8M13.5 13.5V2.5"),
  people: line("M8 8a2.7 2.7 0 1 0 0-5.4A2.7 2.7 0 0 0 8 8ZM2.8 13.6c.5-2.2 2.5-3.4 5.2-3.4s4.7 1.2 5.2 3.4"),
  imports: line("M8 2.5v7M5 6.8l3 3 3-3M2.5 11v1.5a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1V11"),
  mails: line("M2.5 4a1 1 0 0 1 1-1h9a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1V4ZM2.8 4.5 8 8.5l5.2-4"),
  api: line("m5.5 5-3 3 3 3M10.5 5l3 3-3 3M8.8 3 7.2 13"),
  settings: line(
    "M2.5 5h6M12 5h1.5M2.5 11h1.5M7.5 11h6M10.2 6.7a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4ZM5.8 12.7a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4Z",
  ),
  search: line("M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM13.5 13.5l-3.3-3.3"),
  down: line("m4 6 4 4 4-4"),
  up: line("m4 10 4-4 4 4"),
  close: line("m4 4 8 8M12 4l-8 8"),
  check: line("m3 8.5 3.2 3L13 4.5"),
  copy: line(
    "M6 5.5h6a.8.8 0 0 1 .8.8v6a.8.8 0 0 1-.8.8H6a.8.8 0 0 1-.8-.8v-6a.8.8 0 0 1 .8-.8ZM3.5 10.5h-.2a.8.8 0 0 1-.8-.8V3.8A.8.8 0 0 1 3.3 3h5.9a.8.8 0 0 1 .8.8v.2",
  ),
  more: () => (
    <Icon>
      <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" strokeWidth="2.2" />
    </Icon>
  ),
  menu: line("M2.5 5h11M2.5 11h11"),
  add: line("M8 3v10M3 8h10"),
  left: line("m10 4-4 4 4 4"),
  right: line("m6 4 4 4-4 4"),
  sun: line(
    "M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6ZM8 1.8v1M8 13.2v1M1.8 8h1M13.2 8h1M3.6 3.6l.7.7M11.7 11.7l.7.7M12.4 3.6l-.7.7M4.3 11.7l-.7.7",
  ),
  moon: line("M13.2 9.6A5.6 5.6 0 0 1 6.4 2.8a5.6 5.6 0 1 0 6.8 6.8Z"),
  auto: line("M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM8 2.5v11M10.5 3.3v9.4M12.3 4.8v6.4"),
  out: line("M6 13.5H3.5a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1H6M10.5 11l3-3-3-3M13.5 8H6"),
  alert: line(
    "M8 5.5v3M8 11h.01M7 2.9 1.9 11.7a1.2 1.2 0 0 0 1 1.8h10.2a1.2 1.2 0 0 0 1-1.8L9 2.9a1.2 1.2 0 0 0-2 0Z",
  ),
} as const;

/** The product's logo: a ring on a line. */
export function Mark({ size = 20 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" fill="none" aria-hidden="true" focusable="false">
      <circle cx="8" cy="8" r="5.2" stroke="currentColor" strokeWidth="3.6" />
    </svg>
  );
}
