const month = new Map<string, number>();
// First letters of the months in English, German, French, Spanish, Italian, Dutch, Portuguese, Polish, Czech and Nordic
// languages.
const monthNames = [
  "jan janv gen ene sty led",
  "feb fev févr fevr lut úno uno helmi",
  "mar mär märz maerz mars mrt bře bre maalis",
  "apr avr abr kwi dub huhti",
  "may mai mag maj mei maio mayo kvě kve touko",
  "jun juin giu juni cze čvn kesä kesa",
  "jul juil lug juli lip čvc heinä heina",
  "aug août aout ago sie srp elo",
  "sep sept set wrz zář zar syys",
  "oct okt ott out paź paz říj rij loka",
  "nov lis listopad marras",
  "dec dez déc dic gru pro joulu des",
];
for (const [index, names] of monthNames.entries())
  for (const name of names.split(" ")) month.set(name, index + 1);

const clock = String.raw`(?:[T ,]+(?:at )?(\d{1,2})[:.h](\d{2})(?:[:.](\d{2})(?:[.,]\d+)?)?\s*([AaPp]\.?[Mm]\.?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?.{0,12})?`;
const yearFirst = new RegExp(String.raw`^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?${clock}$`);
const yearLast = new RegExp(String.raw`^(\d{1,2})([-/.])\s?(\d{1,2})[-/.]\s?(\d{4}|\d{2})${clock}$`);
const dayNamed = new RegExp(
  String.raw`^(?:\p{L}{2,10}\.?,? )?(\d{1,2})(?:st|nd|rd|th|\.|º)?[ -](?:de )?(\p{L}{3,10})\.?,?[ -](?:de )?(\d{4}|\d{2})${clock}$`,
  "u",
);
const monthNamed = new RegExp(
  String.raw`^(?:\p{L}{2,10}\.?,? )?(\p{L}{3,10})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})${clock}$`,
  "u",
);

/**
 * Parses a day or time: ISO 8601, 05.03.2025, 3/5/25, Jun 6, 2024, 2024年6月6日, seconds or milliseconds since 1970, or a
 * spreadsheet's days since 1900. Returns null for other text. `at` is ISO 8601, or null if day and month are ambiguous.
 */
export function dateOfCell(text: string): { at: string | null } | null {
  if (text.length < 5 || text.length > 48 || !/\d/.test(text)) return null;
  if (/^\d+$/.test(text)) return parseNumber(text);
  if (isoTime.test(text)) return parseIsoTime(text);
  const found = yearFirst.exec(text);
  if (found) return toIsoTime(found[1], found[2], found[3], found.slice(4));
  const last = yearLast.exec(text);
  if (last) return parseYearLast(last);
  const named = dayNamed.exec(text);
  const named2 = named ? null : monthNamed.exec(text);
  const [day, name, year, rest] = named
    ? [named[1], named[2], named[3], named.slice(4)]
    : [named2?.[2], named2?.[1], named2?.[3], named2?.slice(4) ?? []];
  const number = name === undefined ? undefined : monthOf(name);
  return number === undefined ? null : toIsoTime(year, String(number), day, rest);
}

// The format of most programs. Reading it without a full parse takes a fifth of the time.
const isoTime = /^\d{4}-(?:0[1-9]|1[0-2])-\d\d[T ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z?$/;

function parseIsoTime(text: string): { at: string } | null {
  const two = (at: number) => text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 11 * 0x30;
  const [year, day] = [two(0) * 100 + two(2), two(8)];
  if (year < 1970 || year > 2100 || day < 1 || day > daysOf(two(5))) return null;
  return {
    at: text.length === 20 && text.charAt(10) === "T" ? text : `${text.slice(0, 10)}T${text.slice(11, 19)}Z`,
  };
}

function parseNumber(text: string): { at: string } | null {
  const number = Number(text);
  const at = (ms: number) => ({ at: new Date(ms).toISOString() });
  if (text.length === 10 && number > 9e8 && number < 4e9) return at(number * 1000);
  if (text.length === 13 && number > 9e11 && number < 4e12) return at(number);
  // Days since 1899-12-30: 30000 is in 1982, 60000 in 2064.
  if (text.length === 5 && number > 30_000 && number < 60_000) return at((number - 25_569) * 86_400_000);
  const day = /^((?:19|20)\d\d)(\d\d)(\d\d)(\d{4,6})?$/.exec(text);
  return day && Number(day[2]) <= 12 && Number(day[3]) <= 31
    ? (toIsoTime(day[1], day[2], day[3], []) as { at: string } | null)
    : null;
}

// In 05.03.2025 the day is first, in 3/25/2025 the month. 3/5/2025 is ambiguous.
function parseYearLast(found: RegExpExecArray): { at: string | null } | null {
  const [, first = "", separator, second = "", year = ""] = found;
  const rest = found.slice(5);
  if (Number(first) > 12 || separator === ".") return toIsoTime(year, second, first, rest);
  if (Number(second) > 12 || first === second) return toIsoTime(year, first, second, rest);
  return toIsoTime(year, first, second, rest) && { at: null };
}

function monthOf(name: string): number | undefined {
  const word = name.toLowerCase();
  for (let length = Math.min(word.length, 8); length >= 3; length--) {
    const found = month.get(word.slice(0, length));
    if (found !== undefined) return found;
  }
  return undefined;
}

const daysOf = (monthNumber: number) =>
  monthNumber === 2 ? 29 : [4, 6, 9, 11].includes(monthNumber) ? 30 : 31;

function toIsoTime(
  year = "",
  monthText = "",
  dayText = "",
  [hours, minutes, seconds, half, zone]: (string | undefined)[] = [],
): { at: string } | null {
  const [monthNumber, day] = [Number(monthText), Number(dayText)];
  const fullYear = year.length === 2 ? 2000 + Number(year) : Number(year);
  if (
    monthNumber < 1 ||
    monthNumber > 12 ||
    day < 1 ||
    day > daysOf(monthNumber) ||
    fullYear < 1970 ||
    fullYear > 2100
  )
    return null;
  const afternoon = half?.toLowerCase().startsWith("p") ? 12 : 0;
  const hour = half ? (Number(hours ?? 0) % 12) + afternoon : Number(hours ?? 0);
  const two = (number: number) => String(number).padStart(2, "0");
  const [minute, second] = [minutes ?? "00", seconds ?? "00"];
  if (hour > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const isUtc = !zone || /Z|UTC|GMT/.test(zone);
  const offset = isUtc ? "Z" : zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone;
  return { at: `${fullYear}-${two(monthNumber)}-${two(day)}T${two(hour)}:${minute}:${second}${offset}` };
}
