"use client";
import { Menu } from "@mantine/core";
import { type RefObject, useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import type { Catalogue } from "../texts/catalogue";

/** What staff do, by the name of its text: the same in menus, in ⌘K and in the list of shortcuts. */
export type VerbName = keyof Catalogue["ui"]["verbs"];

/**
 * What a key does by itself, where nothing is typed. Nothing that mails or removes people has a key: it takes ⌘K and
 * its word.
 */
export const verbKeys: Partial<Record<VerbName, string>> = { edit: "e", tag: "t", addPerson: "c" };

/** Names a verb in the reader's language. */
export function useVerbLabel(): (verb: VerbName) => string {
  const t = useTranslations("ui");
  return (verb) => t(`verbs.${verb}`);
}

/** A verb that can be done now; its label where it says more than the verb's own. */
export type Offer = { verb: VerbName; label?: string; run(): void };
/** What can be done, and with what: a person, a selection, a key. */
export type Offered = { about: string; offers: Offer[] };

const shown = new Set<RefObject<Offered>>();

/** Offers these for as long as the component is there. @param about what they are done with, as a heading */
export function useOffers(about: string, offers: Offer[]): void {
  const current = useRef<Offered>({ about, offers });
  current.current = { about, offers };
  useEffect(() => {
    shown.add(current);
    return () => void shown.delete(current);
  }, []);
}

/** All that is offered, what came last first. */
export const offersNow = (): Offered[] =>
  [...shown]
    .map(({ current }) => current)
    .filter(({ offers }) => offers.length > 0)
    .reverse();

/** The key of a verb, as it is shown. */
export const keyOf = (verb: VerbName) => verbKeys[verb]?.toUpperCase();

/** What a key does just now. */
export function offerOfKey(key: string): (() => void) | undefined {
  const all = offersNow().flatMap(({ offers }) => offers);
  return all.find(({ verb }) => verbKeys[verb] === key)?.run;
}

/** Offers as entries of a menu. */
export function OfferItems({ offers }: { offers: Offer[] }) {
  const labelOf = useVerbLabel();
  return offers.map(({ verb, label = labelOf(verb), run }) => (
    <Menu.Item key={verb} onClick={run} {...((verb === "erase" || verb === "revoke") && { color: "red" })}>
      {label}
    </Menu.Item>
  ));
}
