import { describe, expect, it } from "vitest";
import { parseList } from "./parse-list";
import { ListValidator } from "./validate-list";

function read(text: string) {
  const { records, problems } = parseList(text);
  const { validations } = new ListValidator(records).validate();
  return {
    people: records.map(({ email, name }, index) => {
      const validation = validations[index];
      return [
        email,
        name,
        validation?.kind,
        validation && "suggestion" in validation ? validation.suggestion : null,
      ];
    }),
    problems: problems.map(({ code }) => code),
  };
}

describe("an address with an unusual spelling", () => {
  it.each([
    ["mailto:ada%40example.com", "ada@example.com"],
    ["ada＠example．com", "ada@example.com"],
    ["ada(at)gmail", "ada@gmail.com"],
    ["ada [at] x [dot] org", "ada@x.org"],
    ["ada @ x.com", "ada@x.com"],
    ["ada@exam- ple.org", "ada@example.org"],
    ["ada@exam-\nple.org", "ada@example.org"],
    ["Ada ada\n@example.com", "ada@example.com"],
    ["ada@orange,fr", "ada@orange.fr"],
    ["email,name\nada@orange,fr", "ada@orange.fr"],
    ["email,name,town\nada@orange,fr,Ada,Vienna", "ada@orange.fr"],
    ["ada@gmail @gmail.com", "ada@gmail.com"],
    ["email,name\nada@gmail @gmail.com,Ada", "ada@gmail.com"],
    ["spaces in@gmail.com", "spacesin@gmail.com"],
  ])("reports %s as invalid and suggests %s", (text, suggestion) => {
    const { people, problems } = read(text);
    expect(people).toMatchObject([[expect.any(String), expect.any(String), "invalid", suggestion]]);
    expect(problems).toEqual([]);
  });

  it("does not include a lower-case name if most lines have one or the address contains it", () => {
    expect(read("ada ada@x.com").people).toEqual([["ada@x.com", "ada", "ready", null]]);
    const named = read("ada a.l@x.com\nbob b.m@x.com\ncarl c.n@x.com").people;
    expect(named.map(([, name, kind]) => [name, kind])).toEqual([
      ["ada", "ready"],
      ["bob", "ready"],
      ["carl", "ready"],
    ]);
    const odd = read("a@x.com\nspaces in@gmail.com\nb@x.com").people;
    expect(odd[1]).toEqual(["spaces in@gmail.com", "", "invalid", "spacesin@gmail.com"]);
  });

  it("has no suggestion if it has two @ signs", () => {
    for (const text of ["maria@lopez@example.org", "maria@lopez @example.org"])
      expect(read(text).people).toEqual([[text, "", "invalid", null]]);
    const people = read("ada@x.com @ada").people.map(([email]) => email);
    expect(people).toContain("ada@x.com");
  });

  it("does not include the country in the next cell", () => {
    expect(read("email,country\nada@orange,fr\nb@x.org,fr").people).toMatchObject([
      ["ada@orange", "", "invalid", null],
      ["b@x.org", "", "ready", null],
    ]);
  });

  it("leaves the other cells of its row in their columns", () => {
    const { people } = read("email,name,status\nada@orange,fr,Ada,active\nb@x.org,B,unsubscribed");
    expect(people).toMatchObject([
      ["ada@orange,fr", "Ada", "invalid", "ada@orange.fr"],
      ["b@x.org", "B", "leaving", null],
    ]);
  });

  it("does not include text beside a plain address", () => {
    expect(read("ada@x.com, b@x.com (at home)").people.map(([email]) => email)).toEqual([
      "ada@x.com",
      "b@x.com",
    ]);
  });
});
