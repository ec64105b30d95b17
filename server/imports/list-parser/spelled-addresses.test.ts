import { describe, expect, it } from "vitest";
import { parseList } from "./parse-list";
import { ListValidator } from "./validate-list";

/** Address, name, kind and suggestion of each record. */
function read(text: string) {
  const { records } = parseList(text);
  const { validations } = new ListValidator(records).validate();
  return records.map(({ email, name }, index) => {
    const validation = validations[index];
    const suggestion = validation && "suggestion" in validation ? validation.suggestion : null;
    return [email, name, validation?.kind, suggestion];
  });
}

describe("an address with an unusual spelling", () => {
  it.each([
    ["mailto:ada%40example.com", "ada%40example.com", "", "ada@example.com"],
    ["ada＠example．com", "ada＠example．com", "", "ada@example.com"],
    ["Ada ada [at] x [dot] org", "ada [at] x [dot] org", "Ada", "ada@x.org"],
    ["ada @ x.com", "ada @ x.com", "", "ada@x.com"],
    ["ada@exam-\nple.org", "ada@exam-\nple.org", "", "ada@example.org"],
    ["Ada ada\n@example.com", "ada\n@example.com", "Ada", "ada@example.com"],
    ["ada@orange,fr", "ada@orange,fr", "", "ada@orange.fr"],
    ["maria@lopez@example.org", "maria@lopez@example.org", "", null],
  ])("is invalid as written in %j", (text, ...expected) => {
    const [address, name, suggestion] = expected;
    expect(read(text)).toEqual([[address, name, "invalid", suggestion]]);
  });

  it("includes a lower-case word before it, unless most lines have one or the address contains it", () => {
    expect(read("a@x.com\nspaces in@gmail.com\nb@x.com")[1]).toEqual([
      "spaces in@gmail.com",
      "",
      "invalid",
      "spacesin@gmail.com",
    ]);
    expect(read("ada ada@x.com")).toEqual([["ada@x.com", "ada", "ready", null]]);
    const named = read("ada a.l@x.com\nbob b.m@x.com\ncarl c.n@x.com");
    expect(named.map(([, name]) => name)).toEqual(["ada", "bob", "carl"]);
  });

  it("does not include text beside a plain address", () => {
    expect(read("ada@x.com, b@x.com (at home)").map(([email]) => email)).toEqual(["ada@x.com", "b@x.com"]);
  });
});
