import { styleText } from "node:util";

const LEVELS: Record<number, [word: string, colour: "red" | "yellow" | "cyan" | "gray"]> = {
  60: ["FATAL", "red"],
  50: ["ERROR", "red"],
  40: ["WARN", "yellow"],
  30: ["INFO", "cyan"],
  20: ["DEBUG", "gray"],
  10: ["TRACE", "gray"],
};

type Line = {
  level: number;
  time: number;
  msg?: string;
  err?: { stack?: string; message?: string; cause?: unknown };
};

/** A JSON line of the log for people: the time of day, the level, the message, the rest as name=value, an error's stack below. */
export function prettyLine(json: string, colours: boolean): string {
  const { level, time, msg = "", err, ...rest } = JSON.parse(json) as Line;
  const [word, colour] = LEVELS[level] ?? ["", "gray"];
  const painted = (text: string, how: typeof colour) => (colours ? styleText(how, text) : text);
  const facts = Object.entries(rest).map(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `${name}=${text}`;
  });
  // Of a repeated error there is only the message.
  if (err && !err.stack) facts.push(`err=${err.message ?? JSON.stringify(err)}`);
  const stack: string[] = [];
  for (let error = err; error?.stack; error = error.cause as typeof err) stack.push(error.stack);
  const first = [
    new Date(time).toTimeString().slice(0, 8),
    painted(word.padEnd(5), colour),
    msg,
    painted(facts.join(" "), "gray"),
  ];
  return [first.join(" ").trimEnd(), ...stack.map((text) => text.replace(/^/gm, "    "))].join("\n");
}
