import { readFileSync } from "node:fs";
import { InvalidArgumentError } from "commander";
import { OperatorError } from "../kernel/operator-error";

/** As typed, by their names in camelCase. */
export type Options = Record<string, string | boolean | string[] | undefined>;

/** The value of an option that must be there. */
export const text = (options: Options, name: string): string => String(options[name]);

/** A whole number from 1 to `most`. */
export function wholeNumber(value: string, most: number): number {
  if (!/^[1-9]\d{0,6}$/.test(value) || Number(value) > most)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
  return Number(value);
}

/** The content of a file that is named on the command line. @throws OperatorError */
export function readGiven(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new OperatorError(`${file} can't be read (${(error as Error).message}). Nothing was changed.`);
  }
}
