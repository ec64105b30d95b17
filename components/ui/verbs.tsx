import { type RefObject, useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import type { Catalogue } from "../texts/catalogue";
import { Menu } from "./floating";

/** Staff actions by text key. Menus, ⌘K and the list of shortcuts share them. */
export type VerbName = keyof Catalogue["ui"]["verbs"];

/**
 * Single keys of verbs, outside input fields. Verbs that send emails or remove people have no key: they need ⌘K and
 * typing.
 */
export const verbKeys: Partial<Record<VerbName, string>> = { edit: "e", tag: "t", addPerson: "c" };

export function useVerbLabel(): (verb: VerbName) => string {
  const t = useTranslations("ui");
  return (verb) => t(`verbs.${verb}`);
}

/** A verb that is available now. `label` replaces the verb's own label where it says more. */
export type Offer = { verb: VerbName; label?: string; run(): void };
/** Available verbs and their subject: a person, a selection, a key. */
export type Offered = { about: string; offers: Offer[] };

export const offersOf = (list: (Offer | false)[]): Offer[] => list.filter((offer) => offer !== false);

const shown = new Set<RefObject<Offered>>();

/** Offers verbs while the component is mounted. @param about their subject, as a heading */
export function useOffers(about: string, offers: Offer[]): void {
  const current = useRef<Offered>({ about, offers });
  current.current = { about, offers };
  useEffect(() => {
    shown.add(current);
    return () => void shown.delete(current);
  }, []);
}

/** All offered verbs, latest first. */
export const offersNow = (): Offered[] =>
  [...shown]
    .map(({ current }) => current)
    .filter(({ offers }) => offers.length > 0)
    .reverse();

/** A verb's key, as displayed. */
export const keyOf = (verb: VerbName) => verbKeys[verb]?.toUpperCase();

/** The current action of a key. */
export function offerOfKey(key: string): (() => void) | undefined {
  const all = offersNow().flatMap(({ offers }) => offers);
  return all.find(({ verb }) => verbKeys[verb] === key)?.run;
}

export function OfferItems({ offers }: { offers: Offer[] }) {
  const labelOf = useVerbLabel();
  return offers.map(({ verb, label = labelOf(verb), run }) => (
    <Menu.Item
      key={verb}
      // The second click of a double click would act twice: the menu is still closing.
      onClick={({ detail }) => detail < 2 && run()}
      {...((verb === "erase" || verb === "revoke") && { color: "red" })}
    >
      {label}
    </Menu.Item>
  ));
}
