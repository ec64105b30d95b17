import { addressParser } from "postal-mime";
import { type AddressHeader, addressHeaders, type HeaderOption } from "./file-types";

const [TAB, LF, CR, SPACE, F] = [0x09, 0x0a, 0x0d, 0x20, 0x46];
// As the tools that write mailboxes do: a line "From …" after an empty one, or at the very beginning.
const fromLine = /^From \S.*\d/;
const field = /^([!-9;-~]+)[ \t]*:(.*)$/;
const wanted = new Map(addressHeaders.map((header) => [header.toLowerCase(), header]));

export type MailPeople = {
  mails: number;
  /** Address in lower case → the line for the list; in the order of their first appearance. */
  people: Record<AddressHeader, Map<string, MailPerson>>;
};
type MailPerson = { address: string; name: string };

export const noMails = (): MailPeople => ({
  mails: 0,
  people: { To: new Map(), Cc: new Map(), Bcc: new Map(), From: new Map(), "Reply-To": new Map() },
});

/** Adds the people of the mails of a file (one mail, or a mailbox of many) to those of others; bodies are passed over. */
export async function readMails(file: Blob, into: MailPeople): Promise<void> {
  const reader = new MailReader(into);
  const stream = file.stream().getReader();
  let rest = new Uint8Array();
  for (;;) {
    const { value, done } = await stream.read();
    if (done) break;
    const bytes = rest.length > 0 ? joined(rest, value) : value;
    let from = 0;
    for (let to = bytes.indexOf(LF); to !== -1; to = bytes.indexOf(LF, from)) {
      reader.line(bytes.subarray(from, bytes[to - 1] === CR ? to - 1 : to));
      from = to + 1;
    }
    rest = bytes.slice(from);
  }
  reader.line(rest);
  reader.end();
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}

class MailReader {
  #inHeader = true;
  #afterEmpty = true;
  #header: AddressHeader | null = null;
  #value = "";
  #fields = 0;

  constructor(readonly into: MailPeople) {}

  line(bytes: Uint8Array): void {
    const isEmpty = bytes.length === 0;
    if (this.#afterEmpty && bytes[0] === F && fromLine.test(textOf(bytes))) {
      this.#inHeader = true;
    } else if (this.#inHeader) {
      if (isEmpty) this.#endHeader();
      else if (bytes[0] === SPACE || bytes[0] === TAB) this.#value += textOf(bytes);
      else this.#open(textOf(bytes));
    }
    this.#afterEmpty = isEmpty;
  }

  #open(line: string): void {
    this.#take();
    const [, name = "", value = ""] = field.exec(line) ?? [];
    if (name) this.#fields++;
    this.#header = wanted.get(name.toLowerCase()) ?? null;
    this.#value = value;
  }

  #endHeader(): void {
    this.#take();
    // An empty line at the very beginning is no mail.
    if (this.#fields === 0) return;
    this.into.mails++;
    this.#fields = 0;
    this.#inHeader = false;
  }

  end(): void {
    if (this.#inHeader) this.#endHeader();
  }

  #take(): void {
    if (!this.#header) return;
    const people = this.into.people[this.#header];
    for (const { address, name } of addressParser(this.#value, { flatten: true })) {
      if (!address?.includes("@")) continue;
      const key = address.toLowerCase();
      const known = people.get(key);
      if (!known) people.set(key, { address, name: nameOf(name, address) });
      else known.name ||= nameOf(name, address);
    }
    this.#header = null;
  }
}

/** Names as some programs write them: in quotes of their own, or the address once more. */
function nameOf(name: string, address: string): string {
  const plain = name
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^'(.*)'$/, "$1");
  return plain.toLowerCase() === address.toLowerCase() ? "" : plain;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
const western = new TextDecoder("windows-1252");

/** Header fields are ASCII; newer programs write UTF-8, some old ones what their system has. */
function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return western.decode(bytes);
  }
}

/** A line for each person of the chosen fields, each address once. */
export function mailLines({ people }: MailPeople, chosen: readonly AddressHeader[]): string {
  const lines = new Map<string, MailPerson>();
  for (const header of chosen) {
    for (const [key, person] of people[header]) {
      const known = lines.get(key);
      if (!known) lines.set(key, person);
      else if (!known.name && person.name) lines.set(key, person);
    }
  }
  return Array.from(lines.values(), ({ address, name }) =>
    name ? `${/[",;<>()@]/.test(name) ? `"${name.replace(/["\\]/g, "\\$&")}"` : name} <${address}>` : address,
  ).join("\n");
}

export const headerOptions = ({ people }: MailPeople): HeaderOption[] =>
  addressHeaders
    .filter((header) => people[header].size > 0)
    .map((header) => ({ header, addresses: people[header].size }));
