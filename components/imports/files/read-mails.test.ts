import { describe, expect, it } from "vitest";
import { type AddressHeader, nothingChosen } from "./file-types";
import { takeFiles } from "./take-files";

const mail = (headers: string[], body = "Hello!") => `${headers.join("\r\n")}\r\n\r\n${body}\r\n`;
const take = (files: File[], headers: AddressHeader[] | null = null) =>
  takeFiles(files, { ...nothingChosen, headers });
const eml = (content: BlobPart) => new File([content], "invitation.eml");

const invitation = mail(
  [
    "Message-ID: <1@navy.mil>",
    "From: Grace Hopper <grace@navy.mil>",
    "To: =?utf-8?Q?J=C3=BCrgen_Gro=C3=9F?= <juergen@navy.mil>,",
    '\t=?iso-8859-1?B?UmVu6WU=?= <renee@navy.mil>, "Love, Ada" <ada@lovelace.org>,',
    " alan@turing.uk (Alan Turing), Team: joan@clarke.uk, mary@jackson.org;",
    "Cc: Alan <ALAN@turing.uk>, 'hedy@lamarr.org' <hedy@lamarr.org>",
    "Reply-To: office@navy.mil",
    "Subject: To: nobody@navy.mil",
  ],
  "To: body@navy.mil\r\n\r\nFrom: body2@navy.mil",
);

describe("a mail", () => {
  it("says how many addresses each field has, and gives those of To with their names", async () => {
    const { text, choices, spans } = await take([eml(invitation)]);
    expect(text.split("\n")).toEqual([
      "Jürgen Groß <juergen@navy.mil>",
      "Renée <renee@navy.mil>",
      '"Love, Ada" <ada@lovelace.org>',
      "Alan Turing <alan@turing.uk>",
      "joan@clarke.uk",
      "mary@jackson.org",
    ]);
    expect(spans).toEqual([{ name: "invitation.eml", from: 0, to: text.length }]);
    expect(choices).toEqual([
      {
        kind: "headers",
        value: ["To"],
        mails: 1,
        options: [
          { header: "To", addresses: 6 },
          { header: "Cc", addresses: 2 },
          { header: "From", addresses: 1 },
          { header: "Reply-To", addresses: 1 },
        ],
      },
    ]);
  });

  it("gives the fields that are chosen, each address once", async () => {
    const { text } = await take([eml(invitation)], ["From", "Cc", "To"]);
    expect(text.split("\n").slice(0, 3)).toEqual([
      "Grace Hopper <grace@navy.mil>",
      "Alan <ALAN@turing.uk>",
      "hedy@lamarr.org",
    ]);
    expect(text.match(/turing/gi)).toHaveLength(1);
  });

  it("gives another field where nobody is in To, and is refused where nobody is in any", async () => {
    const received = mail(["Received: from x", "Message-ID: <1@x>", "From: Ada <ada@lovelace.org>"]);
    expect((await take([eml(received)])).text).toBe("Ada <ada@lovelace.org>");
    const empty = mail(["Received: from x", "Message-ID: <1@x>", "Subject: Hi"]);
    expect((await take([eml(empty)])).refused).toEqual([
      "invitation.eml has no addresses in its headers. Copy those out of its text, and paste them here.",
    ]);
  });

  it("is read where its names are raw UTF-8, or what an old system had", async () => {
    const raw = (name: Buffer) =>
      Buffer.concat([
        Buffer.from("Received: x\nMessage-ID: <1@x>\nTo: "),
        name,
        Buffer.from(" <a@x.org>\n\nHi"),
      ]);
    expect((await take([eml(raw(Buffer.from("Jürgen")))])).text).toBe("Jürgen <a@x.org>");
    expect((await take([eml(raw(Buffer.from("Jürgen", "latin1")))])).text).toBe("Jürgen <a@x.org>");
  });
});

describe("a mailbox", () => {
  it("gives the people of all its mails, not the lines of their texts", async () => {
    const one = (i: number) =>
      `From someone@navy.mil Mon Jan  1 00:00:0${i % 10} 2024\nFrom: Grace <grace@navy.mil>\nTo: Reader ${i} <reader${i % 3}@lovelace.org>\n\nDear all,\n\n>From here on\nFrom: text@navy.mil\nTo: text@navy.mil\n\n`;
    const box = new File([Array.from({ length: 7 }, (_, i) => one(i)).join("")], "Sent");
    const { text, choices } = await take([box]);
    expect(text.split("\n")).toEqual([
      "Reader 0 <reader0@lovelace.org>",
      "Reader 1 <reader1@lovelace.org>",
      "Reader 2 <reader2@lovelace.org>",
    ]);
    expect(choices).toMatchObject([
      {
        mails: 7,
        options: [
          { header: "To", addresses: 3 },
          { header: "From", addresses: 1 },
        ],
      },
    ]);
  });

  it("of many mails, or many single ones, is one choice", async () => {
    const { text, choices, spans } = await take([eml(invitation), new File([invitation], "again.eml")]);
    expect(text.split("\n")).toHaveLength(6);
    expect(choices).toMatchObject([{ kind: "headers", mails: 2 }]);
    expect(spans[0]?.name).toBe("2 mails");
  });

  it("of 20,000 mails with long texts is read as it streams", { timeout: 30_000 }, async () => {
    const body = "A line of seventy characters that says nothing about anybody at all.\n".repeat(40);
    const mails = Array.from(
      { length: 20_000 },
      (_, i) => `From a@x.org Mon Jan  1 00:00:00 2024\nTo: R ${i} <r${i}@x.org>\nSubject: x\n\n${body}\n`,
    );
    const { text } = await take([new File(mails, "big.mbox")]);
    expect(text.split("\n")).toHaveLength(20_000);
  });
});
