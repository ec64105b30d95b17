"use client";
import dynamic from "next/dynamic";
import { type ReactNode, useMemo, useState } from "react";
import { IntlProvider, useLocale, useMessages } from "use-intl";
import { allTexts, type Catalogue } from "./catalogue";

async function part<Name extends keyof Catalogue>(
  name: Name,
  loading: Promise<{ default: Catalogue[Name] }>,
) {
  const { default: texts } = await loading;
  return function Part({ children }: { children: ReactNode }) {
    const others = useMessages();
    const messages = useMemo(() => ({ ...others, [name]: texts }), [others]);
    return (
      <IntlProvider locale={useLocale()} messages={messages}>
        {children}
      </IntlProvider>
    );
  };
}

// Each screen's texts in each language are a script of their own.
const parts = {
  account: {
    en: dynamic(() => part("account", import("./en/account.json"))),
    de: dynamic(() => part("account", import("./de/account.json"))),
    fr: dynamic(() => part("account", import("./fr/account.json"))),
    es: dynamic(() => part("account", import("./es/account.json"))),
  },
  api: {
    en: dynamic(() => part("api", import("./en/api.json"))),
    de: dynamic(() => part("api", import("./de/api.json"))),
    fr: dynamic(() => part("api", import("./fr/api.json"))),
    es: dynamic(() => part("api", import("./es/api.json"))),
  },
  auditLog: {
    en: dynamic(() => part("auditLog", import("./en/auditLog.json"))),
    de: dynamic(() => part("auditLog", import("./de/auditLog.json"))),
    fr: dynamic(() => part("auditLog", import("./fr/auditLog.json"))),
    es: dynamic(() => part("auditLog", import("./es/auditLog.json"))),
  },
  bulkActions: {
    en: dynamic(() => part("bulkActions", import("./en/bulkActions.json"))),
    de: dynamic(() => part("bulkActions", import("./de/bulkActions.json"))),
    fr: dynamic(() => part("bulkActions", import("./fr/bulkActions.json"))),
    es: dynamic(() => part("bulkActions", import("./es/bulkActions.json"))),
  },
  imports: {
    en: dynamic(() => part("imports", import("./en/imports.json"))),
    de: dynamic(() => part("imports", import("./de/imports.json"))),
    fr: dynamic(() => part("imports", import("./fr/imports.json"))),
    es: dynamic(() => part("imports", import("./es/imports.json"))),
  },
  mails: {
    en: dynamic(() => part("mails", import("./en/mails.json"))),
    de: dynamic(() => part("mails", import("./de/mails.json"))),
    fr: dynamic(() => part("mails", import("./fr/mails.json"))),
    es: dynamic(() => part("mails", import("./es/mails.json"))),
  },
  overview: {
    en: dynamic(() => part("overview", import("./en/overview.json"))),
    de: dynamic(() => part("overview", import("./de/overview.json"))),
    fr: dynamic(() => part("overview", import("./fr/overview.json"))),
    es: dynamic(() => part("overview", import("./es/overview.json"))),
  },
  people: {
    en: dynamic(() => part("people", import("./en/people.json"))),
    de: dynamic(() => part("people", import("./de/people.json"))),
    fr: dynamic(() => part("people", import("./fr/people.json"))),
    es: dynamic(() => part("people", import("./es/people.json"))),
  },
  segments: {
    en: dynamic(() => part("segments", import("./en/segments.json"))),
    de: dynamic(() => part("segments", import("./de/segments.json"))),
    fr: dynamic(() => part("segments", import("./fr/segments.json"))),
    es: dynamic(() => part("segments", import("./es/segments.json"))),
  },
  settings: {
    en: dynamic(() => part("settings", import("./en/settings.json"))),
    de: dynamic(() => part("settings", import("./de/settings.json"))),
    fr: dynamic(() => part("settings", import("./fr/settings.json"))),
    es: dynamic(() => part("settings", import("./es/settings.json"))),
  },
  signIn: {
    en: dynamic(() => part("signIn", import("./en/signIn.json"))),
    de: dynamic(() => part("signIn", import("./de/signIn.json"))),
    fr: dynamic(() => part("signIn", import("./fr/signIn.json"))),
    es: dynamic(() => part("signIn", import("./es/signIn.json"))),
  },
  suppressions: {
    en: dynamic(() => part("suppressions", import("./en/suppressions.json"))),
    de: dynamic(() => part("suppressions", import("./de/suppressions.json"))),
    fr: dynamic(() => part("suppressions", import("./fr/suppressions.json"))),
    es: dynamic(() => part("suppressions", import("./es/suppressions.json"))),
  },
  webhooks: {
    en: dynamic(() => part("webhooks", import("./en/webhooks.json"))),
    de: dynamic(() => part("webhooks", import("./de/webhooks.json"))),
    fr: dynamic(() => part("webhooks", import("./fr/webhooks.json"))),
    es: dynamic(() => part("webhooks", import("./es/webhooks.json"))),
  },
};
export type Screen = keyof typeof parts;

/**
 * Gives a page the texts of its screens, beside those of every page. A page that opens later gets all texts, which have
 * loaded by then: a suspended page would stay empty for a moment.
 */
export function ScreenTexts({ of, children }: { of: readonly Screen[]; children: ReactNode }) {
  const language = useLocale();
  const [all] = useState(() => allTexts(language));
  if (all) return <AllTexts>{children}</AllTexts>;
  let content = children;
  for (const name of of.toReversed()) {
    const Part = parts[name][language];
    content = <Part>{content}</Part>;
  }
  return content;
}

/** Gives a part of the page all texts, which have loaded. */
export function AllTexts({ children }: { children: ReactNode }) {
  const language = useLocale();
  return (
    <IntlProvider locale={language} messages={allTexts(language) as Catalogue}>
      {children}
    </IntlProvider>
  );
}
