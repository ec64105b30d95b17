import german from "../../../components/texts/de/server.json";
import spanish from "../../../components/texts/es/server.json";
import french from "../../../components/texts/fr/server.json";
import { serverSentencesReader, translateServerText } from "../../../components/texts/server-sentences";

const readers = new Map(
  Object.entries({ de: german, es: spanish, fr: french }).map(([lang, sentences]) => [
    lang,
    serverSentencesReader(sentences, lang),
  ]),
);

/** Translates a sentence of the server, as the dashboard does in the browser. */
export function translated(text: string, lang: string): string {
  const reader = readers.get(lang);
  // The reader would keep each text that it has translated. Some of them contain what strangers typed.
  return reader ? translateServerText(text, { ...reader, known: new Map() }) : text;
}
