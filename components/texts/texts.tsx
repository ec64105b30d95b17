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
type Loaded = [messages: Promise<Catalogue>, sentences?: Promise<{ default: ServerSentences }>];

async function provider(language: Language, [messages, sentences]: Loaded) {
  const catalogue = await messages;
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
  en: dynamic(() => provider("en", [import("./en")])),
  de: dynamic(() => provider("de", [import("./de"), import("./de/server.json")])),
  fr: dynamic(() => provider("fr", [import("./fr"), import("./fr/server.json")])),
  es: dynamic(() => provider("es", [import("./es"), import("./es/server.json")])),
};

/** Gives the page below it its texts in one language. */
export function TextsProvider({ language, children }: Props) {
  const Provider = providers[language];
  return <Provider>{children}</Provider>;
}
