export type TimeFormat = { date: boolean; time: boolean };

// The formats that Excel does not write into a file, as their numbers; 27–36 and 50–58 are those of East Asia.
const builtIn = (id: number): TimeFormat | null => {
  if (id === 22) return { date: true, time: true };
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58))
    return { date: true, time: false };
  if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || (id >= 45 && id <= 47))
    return { date: false, time: true };
  return null;
};

/** What the number formats of a workbook say about times. */
export function dateFormats() {
  const written = new Map<string, TimeFormat | null>();
  return {
    add({ numFmtId = "", formatCode = "" }: Record<string, string>): void {
      written.set(numFmtId, readFormat(formatCode));
    },
    of: (id: string): TimeFormat | null => written.get(id) ?? builtIn(Number(id)),
  };
}

function readFormat(code: string): TimeFormat | null {
  // Texts, colours, conditions and fillers say nothing; only what positive numbers look like counts.
  const letters = (code.split(";")[0] ?? "")
    .replace(/"[^"]*"|\\.|_.|\*./g, "")
    .replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, "")
    .toLowerCase();
  if (/general/.test(letters)) return null;
  const time = /[hs]/.test(letters);
  const date = /[yd]/.test(letters) || (/m/.test(letters) && !time);
  return date || time ? { date, time } : null;
}

const DAY_S = 86_400;

/** A number of days since Excel's first, as ISO 8601 writes it; without a zone, as the sheet has none. */
export function excelTime(days: number, format: TimeFormat, from1904: boolean): string {
  // Excel counts a 29 February 1900 that never was.
  const since1970 = from1904 ? days - 24_107 : days < 60 ? days - 25_568 : days - 25_569;
  const time = new Date(Math.round(since1970 * DAY_S) * 1000);
  if (Number.isNaN(time.getTime()) || days < 0) return String(days);
  const iso = time.toISOString();
  if (iso.length !== 24) return String(days);
  const [date, clock] = [iso.slice(0, 10), iso.slice(11, 19)];
  if (!format.date) return days < 1 ? clock : `${date}T${clock}`;
  return format.time || clock !== "00:00:00" ? `${date}T${clock}` : date;
}
