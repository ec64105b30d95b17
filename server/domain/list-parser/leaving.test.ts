import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseList } from "./parse-list";
import { ListValidator } from "./validate-list";

// Signs of leaving, written down apart from the words that the parser knows: as programs and people write them.
const words: Record<string, string[]> = {
  en: [
    "Unsubscribed",
    "opted out",
    "Bounced",
    "hard bounce",
    "Cleaned",
    "Complained",
    "spam complaint",
    "blocklisted",
  ],
  de: ["Abgemeldet", "ausgetragen", "gesperrt", "unzustellbar", "gekündigt", "Gelöscht"],
  fr: ["Désabonné", "désinscrite", "NPAI", "bloqué", "Résilié"],
  es: ["Desuscrito", "de baja", "Cancelado", "rebotado", "eliminado"],
  it: ["Disiscritto", "cancellata", "disattivato", "rimbalzato"],
  nl: ["Uitgeschreven", "afgemeld", "onbestelbaar", "geblokkeerd"],
  pt: ["Descadastrado", "cancelado", "desinscrita", "devolvido"],
  pl: ["Wypisany", "Wypisana", "zrezygnował", "nieaktywny", "odbity"],
  cs: ["Odhlášen", "odhlášená", "zrušeno", "nedoručitelný"],
  da: ["Frameldt", "afmeldt", "Slettet"],
  sv: ["Avregistrerad", "avprenumererad", "Studsad"],
  no: ["Avmeldt", "meldt av", "slettet"],
  fi: ["Peruttu", "Peruutettu", "poistettu"],
  ja: ["配信停止", "退会", "購読解除"],
  ko: ["수신거부", "구독취소", "탈퇴"],
  zh: ["退订", "取消订阅", "退訂", "黑名单"],
};
const titles = {
  status: [
    "Status",
    "Subscription status",
    "Email Status",
    "Statut",
    "Estado",
    "Stato",
    "Stav",
    "Tila",
    "ステータス",
    "상태",
    "状态",
    "State",
    "Abo-Status",
  ],
  yes: [
    "Unsubscribed",
    "Opted out",
    "Do not email",
    "EMAIL_BLACKLISTED",
    "Bounced",
    "Complained",
    "Blocklisted",
    "HasOptedOutOfEmail",
    "Abgemeldet",
    "Désinscrit",
    "Disiscritto",
    "Uitgeschreven",
    "is_unsubscribed",
    "email_disabled",
    "Deleted",
  ],
  no: [
    "Subscribed",
    "Consent",
    "Accepts Marketing",
    "subscribed_to_emails",
    "Newsletter",
    "Einwilligung",
    "Email Marketing Consent",
  ],
  date: [
    "Unsubscribed",
    "unsubscribed_at",
    "UNSUB_TIME",
    "Opted out on",
    "CLEAN_TIME",
    "bounce date",
    "Abmeldedatum",
    "Deaktiviert",
    "deleted_at",
    "Data disiscrizione",
    "Fecha de baja",
  ],
  other: ["Notes", "Tags", "Comment", "Kategorien", "Labels", "Remarks", "Gruppe", "Last activity"],
};
const yes = [
  "true",
  "TRUE",
  "yes",
  "Yes",
  "1",
  "x",
  "X",
  "ja",
  "oui",
  "sí",
  "si",
  "sim",
  "tak",
  "ano",
  "да",
  "はい",
  "是",
  "Y",
];
const no = ["false", "FALSE", "no", "No", "0", "nein", "non", "não", "nie", "ne", "нет", "いいえ", "否", "N"];
const dates = [
  "2024-06-06",
  "2024-06-06T10:00:00Z",
  "2024-06-06 10:00:00",
  "06.06.2024",
  "6/6/2024",
  "Jun 6, 2024",
  "6 June 2024",
  "1717660800",
  "1717660800000",
  "2024/06/06 10:00",
  "20240606",
];
const benign = [
  "",
  "Vienna",
  "VIP",
  "2024-01-01",
  "12",
  "https://shop.example/a",
  "Met at the fair",
  "+43 1 234",
  "blue; large",
];

const recased = (text: string) => fc.constantFrom(text, text.toLowerCase(), text.toUpperCase());
const word = fc.constantFrom(...Object.values(words).flat()).chain(recased);
const inSentence = word.chain((one) =>
  fc.constantFrom(one, `${one} 2023`, `VIP, ${one}`, `(${one})`, `${one} by phone`),
);

/** One column that says of somebody that they left, and of the others that they did not. */
const sign = fc.oneof(
  fc.record({
    title: fc.constantFrom(...titles.status),
    left: word,
    stayed: fc.constantFrom("active", "subscribed", "aktiv", ""),
  }),
  fc.record({
    title: fc.constantFrom(...titles.yes),
    left: fc.constantFrom(...yes),
    stayed: fc.constantFrom("", ...no),
  }),
  fc.record({
    title: fc.constantFrom(...titles.no),
    left: fc.constantFrom(...no),
    stayed: fc.constantFrom(...yes),
  }),
  fc.record({
    title: fc.constantFrom(...titles.date),
    left: fc.constantFrom(...dates),
    stayed: fc.constant(""),
  }),
  fc.record({
    title: fc.constantFrom(...titles.other),
    left: inSentence,
    stayed: fc.constantFrom(...benign),
  }),
);
const person = fc.record({
  name: fc.constantFrom("Ada Lovelace", "Jürgen Groß", "Zoë", "李小明", "O'Neill, Anne", ""),
  left: fc.boolean(),
  town: fc.constantFrom(...benign),
});
const people = fc
  .array(person, { minLength: 2, maxLength: 12 })
  .filter((all) => all.some(({ left }) => left));

const addressOf = (index: number) => `person${index}@example.org`;

/** Who would be added although a sign says that they left. */
function wronged(text: string, all: { left: boolean }[], fileName: string | null = null): string[] {
  const { records } = parseList(text, {}, fileName);
  const { validations } = new ListValidator(records).validate();
  return records.flatMap(({ email }, index) => {
    const at = Number(/^person(\d+)@/.exec(email.toLowerCase())?.[1]);
    return validations[index]?.kind === "ready" && all[at]?.left ? [email] : [];
  });
}

function csv(rows: string[][], delimiter: string): string {
  const cell = (value: string) => (/["\n\r,;\t|]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  return rows.map((row) => row.map(cell).join(delimiter)).join("\n");
}

describe("nobody with a sign of leaving is ready without an answer", () => {
  const numRuns = 400;

  it("in any column of a table, at any place, in any language", () => {
    const table = fc.record({
      people,
      sign,
      delimiter: fc.constantFrom(",", ";", "\t", "|"),
      order: fc.shuffledSubarray(["email", "name", "town", "sign"], { minLength: 4, maxLength: 4 }),
    });
    fc.assert(
      fc.property(table, ({ people: all, sign: { title, left, stayed }, delimiter, order }) => {
        const titled: Record<string, string> = { email: "Email", name: "Name", town: "Town", sign: title };
        const rows = all.map(
          (one, index): Record<string, string> => ({
            email: addressOf(index),
            name: one.name,
            town: one.town,
            sign: one.left ? left : stayed,
          }),
        );
        const text = csv(
          [order.map((key) => titled[key] ?? ""), ...rows.map((row) => order.map((key) => row[key] ?? ""))],
          delimiter,
        );
        expect(wronged(text, all), text).toEqual([]);
      }),
      { numRuns },
    );
  });

  it("in a table without a header", () => {
    fc.assert(
      fc.property(people, word, fc.boolean(), (all, left, first) => {
        const rows = all.map((one, index) => {
          const says = one.left ? left : "active";
          return first ? [says, addressOf(index), one.name] : [addressOf(index), one.name, says];
        });
        const text = csv(rows, ",");
        expect(wronged(text, all), text).toEqual([]);
      }),
      { numRuns },
    );
  });

  it("behind an address or a name in free lines", () => {
    const place = fc.constantFrom(
      (address: string, name: string, left: string) => `${name} <${address}> ${left}`,
      (address: string, _: string, left: string) => `${address} (${left})`,
      (address: string, _: string, left: string) => `${address} - ${left}`,
      (address: string, name: string, left: string) => `${left}: ${name} ${address}`,
      (address: string, name: string, left: string) => `${name} (${left}) <${address}>`,
      (address: string, name: string, left: string) => `* ${name}, ${address}, ${left}`,
    );
    fc.assert(
      fc.property(people, word, place, (all, left, write) => {
        const text = all
          .map((one, index) => {
            const name = one.name.replace(",", "");
            return one.left ? write(addressOf(index), name, left) : `${name} <${addressOf(index)}>`;
          })
          .join("\n");
        expect(wronged(text, all), text).toEqual([]);
      }),
      { numRuns },
    );
  });

  it("under a heading", () => {
    const heading = word.chain((one) =>
      fc.constantFrom(`${one}:`, `# ${one}`, one, `== ${one} ==`, `${one} 2024`),
    );
    fc.assert(
      fc.property(people, heading, fc.constantFrom("\n", "\n\n", "\n---\n"), (all, title, parted) => {
        const line = (index: number) => `Ada <${addressOf(index)}>`;
        const stayed = all.flatMap((one, index) => (one.left ? [] : [line(index)]));
        const left = all.flatMap((one, index) => (one.left ? [line(index)] : []));
        const text = [...stayed, "", `${title}${parted === "\n" ? "" : parted.trimEnd()}`, ...left].join(
          "\n",
        );
        expect(wronged(text, all), text).toEqual([]);
      }),
      { numRuns },
    );
  });

  it("in a cell of its own row over a section of a table", () => {
    fc.assert(
      fc.property(people, word, fc.constantFrom(",", ";", "\t"), (all, left, delimiter) => {
        const row = (index: number) => ["Ada", addressOf(index), "Vienna"];
        const some = (wanted: boolean) =>
          all.flatMap((one, index) => (one.left === wanted ? [row(index)] : []));
        const text = csv(
          [["Name", "Email", "Town"], ...some(false), [left, "", ""], ...some(true)],
          delimiter,
        );
        expect(wronged(text, all), text).toEqual([]);
      }),
      { numRuns },
    );
  });

  it("in the column of names, or beside a name", () => {
    const place = fc.constantFrom(
      (left: string) => left,
      (left: string) => `Ada (${left})`,
      (left: string) => `Ada - ${left}`,
    );
    fc.assert(
      fc.property(people, word, place, (all, left, write) => {
        const rows = all.map((one, index) => [one.left ? write(left) : one.name, addressOf(index)]);
        const text = csv([["Name", "Email"], ...rows], ",");
        expect(wronged(text, all), text).toEqual([]);
      }),
      { numRuns },
    );
  });

  it("in vCards and blocks of titles", () => {
    const write = fc.constantFrom(
      (address: string, left: string) => `BEGIN:VCARD\nFN:Ada\nEMAIL:${address}\nNOTE:${left}\nEND:VCARD`,
      (address: string, left: string) =>
        `BEGIN:VCARD\nFN:Ada\nEMAIL:${address}\nCATEGORIES:Choir,${left}\nEND:VCARD`,
      (address: string, left: string) => `Name: Ada\nEmail: ${address}\nStatus: ${left}\n`,
      (address: string, left: string) => `- email: ${address}\n  name: Ada\n  status: ${left}`,
    );
    fc.assert(
      fc.property(people, word, write, (all, left, card) => {
        const text = all.map((one, index) => card(addressOf(index), one.left ? left : "")).join("\n");
        expect(wronged(text, all), text).toEqual([]);
      }),
      { numRuns },
    );
  });

  it("in JSON, nested or not", () => {
    fc.assert(
      fc.property(people, sign, fc.boolean(), (all, { title, left, stayed }, nested) => {
        const items = all.map((one, index) => {
          const says = { [title]: one.left ? left : stayed };
          return { email: addressOf(index), name: one.name, ...(nested ? { profile: says } : says) };
        });
        const text = JSON.stringify(items);
        expect(wronged(text, all), text).toEqual([]);
      }),
      { numRuns },
    );
  });

  it("where only the name of the file says it", () => {
    fc.assert(
      fc.property(people, word, fc.constantFrom("csv", "xlsx", "txt"), (all, left, ending) => {
        const text = all.map((_, index) => addressOf(index)).join("\n");
        const everybody = all.map(() => ({ left: true }));
        expect(wronged(text, everybody, `${left.replaceAll(" ", "_")}_members.${ending}`)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

describe("two lists pasted one below the other", () => {
  it.each([
    ["another separator", "Email,First name\na@x.org,A\n\nVorname;E-Mail;Status\nB;b@x.org;unsubscribed"],
    ["other titles", "Email,First name\na@x.org,A\n\nE-Mail,Vorname,Unsubscribed\nb@x.org,B,Yes"],
    ["the same title for the address", "Email,First name\na@x.org,A\n\nEmail,Unsubscribed\nb@x.org,Yes"],
    ["lines", "Email,First name\na@x.org,A\n\nb@x.org (unsubscribed)"],
    ["lines first", "a@x.org\n\nE-Mail,Vorname,Unsubscribed\nb@x.org,B,Yes"],
  ])("each say what they say: %s", (_, text) => {
    const { records } = parseList(text);
    const { validations } = new ListValidator(records).validate();
    const kinds = Object.fromEntries(records.map(({ email }, index) => [email, validations[index]?.kind]));
    expect(kinds).toMatchObject({ "a@x.org": "ready", "b@x.org": expect.stringMatching(/leaving|asked/) });
    expect(records).toHaveLength(2);
  });
});

it("an unsubscribe link, which everybody has, says of nobody that they left; any other word in its column does", () => {
  const list = (cell: string, title: string) => {
    const text = `email,status,${title}\nada@lovelace.org,active,${cell}`;
    return parseList(text).records[0];
  };
  for (const title of ["unsubscribe_link", "Unsubscribe URL", "Page"]) {
    const said = list("https://list.example.org/unsubscribe/AQGh-rgfAHoR", title);
    expect([said?.status, said?.leaving, said?.asked]).toEqual(["active", undefined, undefined]);
  }
  for (const cell of ["clicked", "unsubscribed", "https://list.example.org unsubscribed"]) {
    const said = list(cell, "unsubscribe_link");
    expect(said?.leaving ?? said?.asked).toBeTruthy();
  }
});
