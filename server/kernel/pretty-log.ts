import { styleText } from "node:util";

type Colour = "red" | "yellow" | "cyan" | "gray";

const COLOURS: Record<string, Colour> = { fatal: "red", error: "red", warn: "yellow", info: "cyan" };

type Line = {
  level: string;
  time: string;
  msg?: string;
  err?: { stack?: string; message?: string; cause?: unknown };
};

/**
 * Formats a JSON log line for people: time of day, level, message, other values as name=value, and an error's stack
 * below.
 */
export function prettyLine(json: string, colours: boolean): string {
  const { level, time, msg = "", err, ...rest } = JSON.parse(json) as Line;
  const painted = (text: string, how: Colour) => (colours ? styleText(how, text) : text);
  const facts = Object.entries(rest).map(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `${name}=${text}`;
  });
  // A repeated error has only its message.
  if (err && !err.stack) facts.push(`err=${err.message ?? JSON.stringify(err)}`);
  const stack: string[] = [];
  for (let error = err; error?.stack; error = error.cause as typeof err) stack.push(error.stack);
  const first = [
    new Date(time).toTimeString().slice(0, 8),
    painted(level.toUpperCase().padEnd(5), COLOURS[level] ?? "gray"),
    msg,
    painted(facts.join(" "), "gray"),
  ];
  return [first.join(" ").trimEnd(), ...stack.map((text) => text.replace(/^/gm, "    "))].join("\n");
}
