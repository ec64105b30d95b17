/** A local part has at most 64 characters. The limit also bounds the time for a long text. */
const ADDRESS = /([^\s@<>()[\]"',;:\\]{1,64})@([^\s@<>()[\]"',;:\\]+)/gu;

const maskText = (text: string) =>
  text.replace(ADDRESS, (_, local: string, domain: string) => `${Array.from(local)[0]}••@${domain}`);

/** Masks every email address in a JSON value, also in names, notes and messages: ada@lovelace.org → a••@lovelace.org. */
export function maskAddresses<T>(value: T): T {
  if (typeof value === "string") return maskText(value) as T;
  if (Array.isArray(value)) return value.map(maskAddresses) as T;
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, maskAddresses(one)])) as T;
}
