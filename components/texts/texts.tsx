"use client";
import dynamic from "next/dynamic";
import type { ReactNode } from "react";
import { IntlProvider, type NamespaceKeys, type NestedKeyOf, type useTranslations } from "use-intl";
import type { Language } from "@/server/contract/languages";
import type { Catalogue } from "./en";
import { type ServerSentences, setServerSentences } from "./server-sentences";

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

const provider = (language: Language, messages: Catalogue, sentences: ServerSentences | null) => {
  if (typeof window !== "undefined") setServerSentences(sentences, language);
  return function TextsInLanguage({ children }: { children: ReactNode }) {
    return (
      <IntlProvider locale={language} messages={messages}>
        {children}
      </IntlProvider>
    );
  };
};

// One script for each language, so that a page loads only its own.
const providers = {
  en: dynamic(() => import("./en").then((file) => provider("en", file.default, null))),
  de: dynamic(() => import("./de").then((file) => provider("de", file.default, file.sentences))),
  fr: dynamic(() => import("./fr").then((file) => provider("fr", file.default, file.sentences))),
  es: dynamic(() => import("./es").then((file) => provider("es", file.default, file.sentences))),
};

/** Gives the page below it its texts in one language. */
export function TextsProvider({ language, children }: Props) {
  const Provider = providers[language];
  return <Provider>{children}</Provider>;
}
