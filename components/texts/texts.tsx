"use client";
import dynamic from "next/dynamic";
import type { ReactNode } from "react";
import { IntlProvider, type NamespaceKeys, type NestedKeyOf, type useTranslations } from "use-intl";
import type { Language } from "@/server/kernel/languages";
import type { Catalogue } from "./catalogue";
import { type ServerSentences, serverSentencesReader, setServerSentences } from "./server-sentences";

declare module "use-intl" {
  interface AppConfig {
    Locale: Language;
    Messages: Catalogue;
  }
}

/** Texts of one screen, for functions outside of components: `function summary(t: Texts<"people">) { … }`. */
export type Texts<Screen extends NamespaceKeys<Catalogue, NestedKeyOf<Catalogue>>> = ReturnType<
  typeof useTranslations<Screen>
>;

type Props = { language: Language; children: ReactNode };
type Json<Texts> = Promise<{ default: Texts }>;
type Loaded = [ui: Json<Catalogue["ui"]>, shell: Json<Catalogue["shell"]>, sentences?: Json<ServerSentences>];

async function provider(language: Language, [ui, shell, sentences]: Loaded) {
  // Other screens' texts are in their providers, inside of this one.
  const catalogue = { ui: (await ui).default, shell: (await shell).default } as Catalogue;
  const reader = sentences ? serverSentencesReader((await sentences).default, language) : null;
  return function TextsInLanguage({ children }: { children: ReactNode }) {
    // This must run before the texts below render. A staff member may change the language without a page load.
    if (typeof window !== "undefined") setServerSentences(reader);
    return (
      <IntlProvider locale={language} messages={catalogue}>
        {children}
      </IntlProvider>
    );
  };
}

// Each language has its own scripts, so a page loads only its own language.
const providers = {
  en: dynamic(() => provider("en", [import("./en/ui.json"), import("./en/shell.json")])),
  de: dynamic(() =>
    provider("de", [import("./de/ui.json"), import("./de/shell.json"), import("./de/server.json")]),
  ),
  fr: dynamic(() =>
    provider("fr", [import("./fr/ui.json"), import("./fr/shell.json"), import("./fr/server.json")]),
  ),
  es: dynamic(() =>
    provider("es", [import("./es/ui.json"), import("./es/shell.json"), import("./es/server.json")]),
  ),
};

/** Gives the page below it the texts of every page, in one language. */
export function TextsProvider({ language, children }: Props) {
  const Provider = providers[language];
  return <Provider>{children}</Provider>;
}
