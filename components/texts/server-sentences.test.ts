import { describe, expect, it } from "vitest";
import { serverSentencesReader, translateServerText } from "./server-sentences";

const reader = serverSentencesReader(
  {
    "Nothing was changed.": "Es wurde nichts geändert.",
    "Enter a name.": "Geben Sie einen Namen ein.",
    "The {noun} is too long: at most {most} characters.": "„{noun}“ ist zu lang: höchstens {most} Zeichen.",
    "Too late to cancel: {sent} of {emails} were already sent.":
      "Zu spät: {sent} von {emails} wurden schon gesendet.",
    "{count} emails": "{count} E-Mails",
    "The segment {name} can't be used until it is changed: {message}":
      "Das Segment {name} muss zuerst geändert werden: {message}",
    name: "Name",
  },
  "de",
);
const german = (text: string) => translateServerText(text, reader);

describe("translateServerText", () => {
  it("translates a text as a whole or sentence by sentence", () => {
    expect(german("Enter a name. Nothing was changed.")).toBe(
      "Geben Sie einen Namen ein. Es wurde nichts geändert.",
    );
  });

  it("keeps inserted values, with numbers and known words in the reader's language", () => {
    expect(german("The name is too long: at most 2,000 characters.")).toBe(
      "„Name“ ist zu lang: höchstens 2.000 Zeichen.",
    );
    expect(german("Too late to cancel: 1,204 of 3,000 emails were already sent. Nothing was changed.")).toBe(
      "Zu spät: 1.204 von 3.000 E-Mails wurden schon gesendet. Es wurde nichts geändert.",
    );
    expect(german("The segment A.B? No can't be used until it is changed: Enter a name.")).toBe(
      "Das Segment A.B? No muss zuerst geändert werden: Geben Sie einen Namen ein.",
    );
  });

  it("keeps sentences without a translation in English", () => {
    expect(german("Something else. Nothing was changed.")).toBe("Something else. Es wurde nichts geändert.");
    expect(german("Rejected by a.b (c): x.")).toBe("Rejected by a.b (c): x.");
  });
});
