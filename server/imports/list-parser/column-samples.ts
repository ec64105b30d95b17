import type { PastedList } from "./list-types";
import { RowReader } from "./row-reader";

const rowsLookedAt = 200;
const mostValues = 3;
const longestValue = 40;

/** The first different values of each column. They help the editor to choose the meaning of an unknown column. */
export function columnSamples(list: PastedList): string[][] {
  const { lines, delimiter, headerLine, columns } = list;
  const samples = columns.map(() => [] as string[]);
  if (!delimiter) return samples;
  const reader = new RowReader(lines, delimiter, headerLine ?? 0);
  for (let row = 0; row < rowsLookedAt && reader.next(); row++) {
    for (const [index, values] of samples.entries()) {
      if (values.length === mostValues || reader.isEmpty(index)) continue;
      const value = reader.value(index).replace(/\s+/g, " ").trim();
      const shown = value.length > longestValue ? `${value.slice(0, longestValue)}…` : value;
      if (shown !== "" && !values.includes(shown)) values.push(shown);
    }
  }
  return samples;
}
