import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rolesOfTitles } from "./column-titles";
import type { Answers } from "./list-types";
import { parseList } from "./parse-list";
import { ListValidator } from "./validate-list";

/** The validation of each person, by the local part of the address. */
function kindsOf(text: string, answers: Answers = {}): Record<string, string | undefined> {
  const { records } = parseList(text, { answers });
  const { validations } = new ListValidator(records).validate();
  return Object.fromEntries(
    records.map(({ email }, at) => [email.split("@")[0] ?? "", validations[at]?.kind]),
  );
}

const questionsOf = (text: string) =>
  parseList(text).questions.map(({ title, values }) => [title, values.map(({ value }) => value)]);

describe("a person with a no in a column is not ready without an answer", () => {
  const letters: [consonants: string, vowels: string][] = [
    ["b d f g k l m n r s t", "a e i o u ä ö ü é ø å ê ã ı"],
    ["б в г д к л м н р т", "а е и о у і є"],
    ["β γ δ κ λ μ ν ρ σ τ", "α ε ι ο ω"],
    ["か き く さ た な は ま", "あ い う え お"],
    ["ب ت ر س ك ل م", "ا و ي"],
    ["가 나 다 라 마", "바 사 자 카"],
    ["山 川 田 木", "口 日 月 火"],
    ["ב ג ד ל מ", "א ה ו י"],
  ];
  const inventedWord = fc.constantFrom(...letters).chain(([consonants, vowels]) =>
    fc
      .array(fc.tuple(fc.constantFrom(...consonants.split(" ")), fc.constantFrom(...vowels.split(" "))), {
        minLength: 2,
        maxLength: 4,
      })
      .map((syllables) => syllables.flat().join("")),
  );
  const isUnknown = (title: string) => rolesOfTitles(["Email", title])[1] === "ignored";
  const invented = fc
    .array(inventedWord, { minLength: 1, maxLength: 3 })
    .map((words) => words.join(" "))
    .filter(isUnknown);

  const answers =
    `Ja/Nein Ja/Nej Ja/Nei Ja/Nee Oui/Non Sim/Não Sí/No Sì/No Kyllä/Ei tak/nie ano/ne áno/nie да/нет так/ні да/не
    evet/hayır da/nu ναι/όχι igen/nem yes/no true/false TRUE/FALSE WAHR/FALSCH VRAI/FAUX VERO/FALSO 1/0 y/n t/f on/off はい/いいえ
    예/아니요 예/아니오 是/否 نعم/لا כן/לא x/ X/ ✓/ 1/ ✓/✗ ☑/☐ да/ Ja/`
      .split(/\s+/)
      .map((pair): [string, string] => [pair.split("/")[0] ?? "", pair.split("/")[1] ?? ""]);
  const said = fc
    .constantFrom(...answers)
    .chain(([yes, no]) =>
      fc.constantFrom(
        [yes, no],
        [yes.toLowerCase(), no.toLowerCase()],
        [yes.toUpperCase(), no.toUpperCase()],
      ),
    );
  const people = fc
    .array(fc.record({ no: fc.boolean(), name: fc.constantFrom("Ada Lovelace", "Zoë", "李小明", "") }), {
      minLength: 2,
      maxLength: 12,
    })
    .filter((all) => all.some(({ no }) => no) && all.some(({ no }) => !no));
  const list = fc.record({
    title: invented,
    said,
    people,
    delimiter: fc.constantFrom(";", ",", "\t", "|"),
    order: fc.shuffledSubarray(["Email", "Name", "Town", "said"], { minLength: 4 }),
    isJson: fc.boolean(),
  });

  it("under an invented title in any language, with any separator and in any position", () => {
    fc.assert(
      fc.property(list, ({ title, said: [yes = "", no = ""], people: all, delimiter, order, isJson }) => {
        const cells = all.map(
          (one, at): Record<string, string> => ({
            Email: `${one.no ? "no" : "yes"}${at}@x.example`,
            Name: one.name,
            Town: at % 2 ? "Vienna" : "",
            said: one.no ? no : yes,
          }),
        );
        const titles = order.map((key) => (key === "said" ? title : key));
        const rows = cells.map((row) => order.map((key) => row[key] ?? ""));
        const text = isJson
          ? JSON.stringify(rows.map((row) => Object.fromEntries(row.map((cell, at) => [titles[at], cell]))))
          : [titles, ...rows].map((row) => row.join(delimiter)).join("\n");
        const held = Object.entries(kindsOf(text)).filter(([who]) => who.startsWith("no"));
        expect(
          held.filter(([, kind]) => kind !== "asked" && kind !== "leaving"),
          text,
        ).toEqual([]);
        expect(held.length, text).toBe(all.filter((one) => one.no).length);
      }),
      { numRuns: 1000 },
    );
  });

  it("after more rows than the parser samples", () => {
    const rows = Array.from({ length: 5000 }, (_, at) => `yes${at}@x.example;Ja`);
    expect(kindsOf(`Email;Tilmeldt\n${rows.join("\n")}\nno@x.example;Nej`).no).toBe("asked");
  });

  it.each([
    ["without a header", "yes@x.example;Ja\nno@x.example;Nej"],
    ["with a negation", "Email;Påmeldt\nyes@x.example;Ja\nno@x.example;Ikke påmeldt"],
    ["with a word of thanks", "Email;Ønsker post\nyes@x.example;Ja\nno@x.example;Nej tak"],
    ["if all people have a zero", "Email;Tilmeldt\nno@x.example;0"],
    [
      "beside two other answers",
      "Email;T\na@x.example;Ja\nb@x.example;Måske\nc@x.example;Ved ikke\nno@x.example;Nej",
    ],
    ["beside a known word", "Email;Tilmeldt\na@x.example;Ja\nb@x.example;Afmeldt\nno@x.example;Nej"],
    ["in a second table below", "Email;Navn\na@x.example;Ada\n\nEmail;Tilmeldt\nno@x.example;Nej"],
    ["in blocks", "Email: yes@x.example\nTilmeldt: Ja\n\nEmail: no@x.example\nTilmeldt: Nej\n"],
    [
      "in JSON without quotes",
      '[{"email":"yes@x.example","tilmeldt":true},{"email":"no@x.example","tilmeldt":false}]',
    ],
    ["beside another status", "Email;Status;Tilmeldt\nyes@x.example;aktiv;Ja\nno@x.example;aktiv;Nej"],
  ])("%s", (_, text) => {
    expect(kindsOf(text).no).toBe("asked");
  });
});

describe("an unknown column", () => {
  const text = "Email;Tilmeldt\nyes@x.example;Ja\nno@x.example;Nej\nunsaid@x.example;";

  it("asks about every value, including empty cells", () => {
    expect(questionsOf(text)).toEqual([["Tilmeldt", ["Ja", "Nej", "(empty)"]]]);
    expect(kindsOf(text)).toEqual({ yes: "asked", no: "asked", unsaid: "asked" });
  });

  it("applies the answers to its values", () => {
    const tilmeldt = { Ja: "active", Nej: "unsubscribed", "(empty)": "unsubscribed" } as const;
    expect(kindsOf(text, { "column:Tilmeldt": tilmeldt })).toEqual({
      yes: "ready",
      no: "leaving",
      unsaid: "leaving",
    });
    expect(kindsOf(text, { "column:Tilmeldt": { Ja: "active" } })).toEqual({
      yes: "ready",
      no: "asked",
      unsaid: "asked",
    });
    const about = { Ja: "nothing", Nej: "nothing", "(empty)": "nothing" } as const;
    const everybody = { yes: "ready", no: "ready", unsaid: "ready" };
    expect(kindsOf(text, { "column:Tilmeldt": about })).toEqual(everybody);
  });

  it("applies a role chosen in the menu of the column", () => {
    const { records } = parseList(text, { columns: ["email", "subscribed"] });
    expect(records.map(({ leaving, asked }) => [leaving?.reason, asked])).toEqual([
      [undefined, undefined],
      ["unsubscribed", undefined],
      [undefined, ["column:Tilmeldt"]],
    ]);
  });
});

describe("no question about a column", () => {
  it.each([
    ["with only yes", "Email;Tilmeldt\na@x.example;Ja\nb@x.example;Ja"],
    [
      "with many values",
      "Email;By\na@x.example;No\nb@x.example;Oslo\nc@x.example;Rom\nd@x.example;Wien\ne@x.example;Bern",
    ],
    ["of numbers", "Email;Antal\na@x.example;0\nb@x.example;1\nc@x.example;2\nd@x.example;7"],
    ["of words and empty cells", "Email;Note\na@x.example;VIP\nb@x.example;"],
    ["of a gender", "Email;Køn\na@x.example;F\nb@x.example;M"],
    ["of countries", "Email;Land\na@x.example;NO\nb@x.example;SE"],
    ["of another channel", "Email;SMS consent\na@x.example;Yes\nb@x.example;No"],
    ["that services use for something else", "Email;Tax Exempt\na@x.example;no\nb@x.example;no"],
    ["that is a field of the newsletter", "Email;Vegan\na@x.example;Ja\nb@x.example;Nej"],
  ])("%s", (_, text) => {
    const fields = [{ key: "vegan", label: "Vegan", type: "boolean", choices: [] }] as never;
    const { questions, records } = parseList(text, { fields });
    expect(questions).toEqual([]);
    expect(records.filter(({ asked, leaving }) => asked || leaving)).toEqual([]);
  });
});
