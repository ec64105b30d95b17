import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseList } from "./parse-list";
import { ListValidator } from "./validate-list";

const split = (text: string) => text.split("|");

// Opt-out words of programs and people, collected independently of the parser's own words.
const words = [
  "Unsubscribed|opted out|Bounced|hard bounce|Cleaned|Complained|spam complaint|blocklisted",
  "Abgemeldet|ausgetragen|gesperrt|unzustellbar|gekündigt|Gelöscht",
  "Désabonné|désinscrite|NPAI|bloqué|Résilié",
  "Desuscrito|de baja|Cancelado|rebotado|eliminado",
  "Disiscritto|cancellata|disattivato|rimbalzato",
  "Uitgeschreven|afgemeld|onbestelbaar|geblokkeerd",
  "Descadastrado|cancelado|desinscrita|devolvido",
  "Wypisany|Wypisana|zrezygnował|nieaktywny|odbity",
  "Odhlášen|odhlášená|zrušeno|nedoručitelný",
  "Frameldt|afmeldt|Slettet|Avregistrerad|avprenumererad|Studsad|Avmeldt|meldt av|slettet",
  "Peruttu|Peruutettu|poistettu",
  "配信停止|退会|購読解除|수신거부|구독취소|탈퇴|退订|取消订阅|退訂|黑名单",
].flatMap(split);
const titles = {
  status: split(
    "Status|Subscription status|Email Status|Statut|Estado|Stato|Stav|Tila|ステータス|상태|状态|State|Abo-Status",
  ),
  yes: split(
    "Unsubscribed|Opted out|Do not email|EMAIL_BLACKLISTED|Bounced|Complained|Blocklisted|HasOptedOutOfEmail|Abgemeldet|Désinscrit|Disiscritto|Uitgeschreven|is_unsubscribed|email_disabled|Deleted",
  ),
  no: split(
    "Subscribed|Consent|Accepts Marketing|subscribed_to_emails|Newsletter|Einwilligung|Email Marketing Consent",
  ),
  date: split(
    "Unsubscribed|unsubscribed_at|UNSUB_TIME|Opted out on|CLEAN_TIME|bounce date|Abmeldedatum|Deaktiviert|deleted_at|Data disiscrizione|Fecha de baja",
  ),
  other: split("Notes|Tags|Comment|Kategorien|Labels|Remarks|Gruppe|Last activity"),
};
const yes = split("true|TRUE|yes|Yes|1|x|X|ja|oui|sí|si|sim|tak|ano|да|はい|是|Y");
const no = split("false|FALSE|no|No|0|nein|non|não|nie|ne|нет|いいえ|否|N");
const dates = split(
  "2024-06-06|2024-06-06T10:00:00Z|2024-06-06 10:00:00|06.06.2024|6/6/2024|Jun 6, 2024|6 June 2024|1717660800|1717660800000|2024/06/06 10:00|20240606",
);
const benign = split(
  "|Vienna|VIP|2024-01-01|12|https://shop.example/a|Met at the fair|+43 1 234|blue; large",
);

const recased = (text: string) => fc.constantFrom(text, text.toLowerCase(), text.toUpperCase());
const word = fc.constantFrom(...words).chain(recased);
const inSentence = word.chain((one) =>
  fc.constantFrom(one, `${one} 2023`, `VIP, ${one}`, `(${one})`, `${one} by phone`),
);

/** A column with one value for opted-out people and another for the rest. */
const sign = fc.oneof(
  ...(
    [
      [titles.status, word, ["active", "subscribed", "aktiv", ""]],
      [titles.yes, fc.constantFrom(...yes), ["", ...no]],
      [titles.no, fc.constantFrom(...no), yes],
      [titles.date, fc.constantFrom(...dates), [""]],
      [titles.other, inSentence, benign],
    ] as const
  ).map(([title, left, stayed]) =>
    fc.record({ title: fc.constantFrom(...title), left, stayed: fc.constantFrom(...stayed) }),
  ),
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

/** A list in which some people have opted out. */
type Written = { text: string; all: { left: boolean }[]; fileName?: string };

/** Opted-out people who would be added, or who are missing in the result. */
function lostOptOuts({ text, all, fileName }: Written): string[] {
  const { records } = parseList(text, {}, fileName ?? null);
  const { validations } = new ListValidator(records).validate();
  return all.flatMap(({ left }, index) => {
    const person = `person${index}@`;
    const kinds = validations.filter((_, at) => records[at]?.email.toLowerCase().startsWith(person));
    const isKept = kinds.length > 0 && kinds.every(({ kind }) => kind !== "ready");
    return left && !isKept ? [addressOf(index)] : [];
  });
}

function csv(rows: string[][], delimiter = ","): string {
  const cell = (value: string) => (/["\n\r,;\t|]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  return rows.map((row) => row.map(cell).join(delimiter)).join("\n");
}

type Writer = (address: string, name: string, left: string) => string;

/** Lists that write each person separately, without a word for the people who stayed. */
const writtenBy = (writers: Writer[], stays: Writer | null = null, head = "") =>
  fc.tuple(people, word, fc.constantFrom(...writers)).map(([all, left, write]): Written => {
    const lines = all.map((one, index) =>
      one.left || !stays
        ? write(addressOf(index), one.name, one.left ? left : "")
        : stays(addressOf(index), one.name, ""),
    );
    return { all, text: head + lines.join("\n") };
  });
const plain = (name: string) => name.replace(",", "");

const lists: Record<string, fc.Arbitrary<Written>> = {
  "in any column of a table, in any language": fc
    .record({
      all: people,
      sign,
      delimiter: fc.constantFrom(",", ";", "\t", "|"),
      order: fc.shuffledSubarray(["Email", "Name", "Town", "sign"], { minLength: 4, maxLength: 4 }),
    })
    .map(({ all, sign: { title, left, stayed }, delimiter, order }) => {
      const rows = all.map((one, index): Record<string, string> => {
        return { Email: addressOf(index), Name: one.name, Town: one.town, sign: one.left ? left : stayed };
      });
      const header = order.map((key) => (key === "sign" ? title : key));
      return {
        all,
        text: csv([header, ...rows.map((row) => order.map((key) => row[key] ?? ""))], delimiter),
      };
    }),
  "in a table without a header": writtenBy([
    (address, name, left) => csv([[left || "active", address, name]]),
    (address, name, left) => csv([[address, name, left || "active"]]),
  ]),
  "beside an address or a name in free text": writtenBy(
    [
      (address, name, left) => `${plain(name)} <${address}> ${left}`,
      (address, _, left) => `${address} (${left})`,
      (address, _, left) => `${address} - ${left}`,
      (address, name, left) => `${left}: ${plain(name)} ${address}`,
      (address, name, left) => `${plain(name)} (${left}) <${address}>`,
      (address, name, left) => `* ${plain(name)}, ${address}, ${left}`,
    ],
    (address, name) => `${plain(name)} <${address}>`,
  ),
  "in the name column, alone or beside a name": writtenBy(
    [
      (address, _, left) => csv([[left, address]]),
      (address, _, left) => csv([[`Ada (${left})`, address]]),
      (address, _, left) => csv([[`Ada - ${left}`, address]]),
    ],
    (address, name) => csv([[name, address]]),
    "Name,Email\n",
  ),
  "in vCards and blocks of titles": writtenBy([
    (address, _, left) => `BEGIN:VCARD\nFN:Ada\nEMAIL:${address}\nNOTE:${left}\nEND:VCARD`,
    (address, _, left) => `BEGIN:VCARD\nFN:Ada\nEMAIL:${address}\nCATEGORIES:Choir,${left}\nEND:VCARD`,
    (address, _, left) => `Name: Ada\nEmail: ${address}\nStatus: ${left}\n`,
    (address, _, left) => `- email: ${address}\n  name: Ada\n  status: ${left}`,
  ]),
  "under a heading": fc
    .tuple(
      people,
      word.chain((one) => fc.constantFrom(`${one}:`, `# ${one}`, one, `== ${one} ==`, `${one} 2024`)),
      fc.constantFrom("", "\n", "\n---"),
    )
    .map(([all, heading, parted]) => {
      const of = (wanted: boolean) =>
        all.flatMap(({ left }, index) => (left === wanted ? [`Ada <${addressOf(index)}>`] : []));
      return { all, text: [...of(false), "", heading + parted, ...of(true)].join("\n") };
    }),
  "in a separate row above a section of a table": fc
    .tuple(people, word, fc.constantFrom(",", ";", "\t"))
    .map(([all, left, delimiter]) => {
      const of = (wanted: boolean) =>
        all.flatMap((one, index) => (one.left === wanted ? [["Ada", addressOf(index), "Vienna"]] : []));
      const rows = [["Name", "Email", "Town"], ...of(false), [left, "", ""], ...of(true)];
      return { all, text: csv(rows, delimiter) };
    }),
  "in JSON, nested or not": fc
    .tuple(people, sign, fc.boolean())
    .map(([all, { title, left, stayed }, nested]) => {
      const items = all.map((one, index) => {
        const says = { [title]: one.left ? left : stayed };
        return { email: addressOf(index), name: one.name, ...(nested ? { profile: says } : says) };
      });
      return { all, text: JSON.stringify(items) };
    }),
  "only in the file name": fc
    .tuple(people, word, fc.constantFrom("csv", "xlsx", "txt"))
    .map(([all, left, ending]) => ({
      all: all.map(() => ({ left: true })),
      text: all.map((_, index) => addressOf(index)).join("\n"),
      fileName: `${left.replaceAll(" ", "_")}_members.${ending}`,
    })),
};

describe("opted-out people are read, and not ready without an answer", () => {
  it.each(Object.entries(lists))("%s", (_, written) => {
    const holds = fc.property(written, (list) => {
      expect(lostOptOuts(list), list.text).toEqual([]);
    });
    fc.assert(holds, { numRuns: 300 });
  });
});

it.each([
  ["HTML", "<li>Ada a@x.org</li>\n<li><del>Bo b@x.org</del></li>\n<li>Cy <s>cy</s> c@x.org</li>", "b@x.org"],
  ["HTML over lines", '<del class="old">\na@x.org\nb@x.org\n</del>\nc@x.org', "a@x.org b@x.org"],
  ["HTML, unclosed", "<s>a@x.org\n<strike>b@x.org</strike>\nc@x.org", "b@x.org"],
  ["HTML, not of one kind", "<s>a@x.org\nb@x.org</del>\nc@x.org", ""],
  ["links", '<s style="x"><a href="mailto:a@x.org">Ada</a></s>\n<a href="mailto:b@x.org">Bo</a>', "a@x.org"],
  ["in links", '<a href="mailto:a@x.org"><s>Ada</s></a>\n<a href="mailto:b@x.org">Bo</a>', "a@x.org"],
  ["cells", "name,email,note\nAda,<s>a@x.org</s>,\nBo,b@x.org,<s>late</s>", "a@x.org"],
  ["chats", "- ~Ada a@x.org~\n- ~Bo b@x.org~ (moved)\n- Cy c@x.org", "a@x.org b@x.org"],
  ["numbers", "~20 members, a@x.org, ~30 guests~\n~b@x.org, ~/x\n~c@x.org", ""],
  ["separators", '"Ada"~"a@x.org"~"x"\n|~|b@x.org|~|', ""],
])("asks about struck-out people: %s", (_, text, asked) => {
  const { records } = parseList(text);
  expect(records.filter((person) => person.asked).map(({ email }) => email)).toEqual(
    asked === "" ? [] : asked.split(" "),
  );
  expect(records.filter(({ leaving }) => leaving)).toEqual([]);
});
