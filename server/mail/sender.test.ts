import { expect, test } from "vitest";
import { formatSender, headerLine } from "./sender";

test.each([
  ["Weekly <hello@x.org>", "Weekly <hello@x.org>"],
  ['"Weekly" <hello@x.org>', "Weekly <hello@x.org>"],
  ['"Weekly, the" <hello@x.org>', '"Weekly, the" <hello@x.org>'],
  ['"The \\"best\\" \\\\ weekly" <hello@x.org>', '"The \\"best\\" \\\\ weekly" <hello@x.org>'],
  ["Weekly, the <hello@x.org>", '"Weekly, the" <hello@x.org>'],
  ["Bücher & mehr <hello@x.org>", "Bücher & mehr <hello@x.org>"],
  ["<hello@x.org>", "News of the week <hello@x.org>"],
  ["hello@x.org", "News of the week <hello@x.org>"],
  ["Weekly <hello@x.org>\r\nBcc: evil@x.org", "Weekly <hello@x.org> Bcc: evil@x.org"],
  ["Weekly\r\nBcc: evil@x.org <hello@x.org>", '"Weekly Bcc: evil@x.org" <hello@x.org>'],
  ["Weekly\u202e <hello@x.org>", "Weekly <hello@x.org>"],
  ["A <evil@x.org> <hello@x.org>", '"A <evil@x.org>" <hello@x.org>'],
])("the sender %j becomes one mailbox on one line", (setting, expected) => {
  expect(formatSender(setting, "News of the\n week")).toBe(expected);
});

test("a bare address takes the newsletter's name, quoted where it must be", () => {
  expect(formatSender("hello@x.org", 'Tom "T" & co., weekly')).toBe(
    '"Tom \\"T\\" & co., weekly" <hello@x.org>',
  );
});

test("a line loses breaks and unseen characters, and is cut between characters", () => {
  expect(headerLine("a\r\n\tb\u2028c\u200bd\0")).toBe("a b c d");
  expect(headerLine("👋".repeat(200), 3)).toBe("👋👋…");
});
