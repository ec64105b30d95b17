import { readFileSync } from "node:fs";
import { InvalidArgumentError } from "commander";
import { OperatorError } from "../kernel/errors";

/** The options as typed, by their names in camelCase. */
export type Options = Record<string, string | boolean | string[] | undefined>;

/** An option of a verb: its flags in commander's format, their description, and whether they are required. */
export type VerbOption = [flags: string, does: string, required?: "required"];

/** Returns a required option as text. */
export const text = (options: Options, name: string): string => String(options[name]);

/**
 * Reads an option that takes a whole number from 1 to `most`, such as `--limit 20`. @returns null if it is not given
 * @throws InvalidArgumentError
 */
export function wholeNumber(options: Options, flag: string, most: number): number | null {
  const name = flag.replace(/^--/, "").replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const value = options[name];
  if (value === undefined) return null;
  if (!/^[1-9]\d{0,6}$/.test(String(value)) || Number(value) > most)
    throw new InvalidArgumentError(`${flag} must be a whole number from 1 to ${most}.`);
  return Number(value);
}

/** Reads a file that the command line names. @throws OperatorError */
export function readInputFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new OperatorError(`${file} can't be read (${(error as Error).message}). Nothing was changed.`);
  }
}
