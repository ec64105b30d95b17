"use client";
import { Menu } from "@mantine/core";
import { type RefObject, useEffect, useRef } from "react";
import { useTranslations } from "use-intl";

type Verb = { label: string; key?: string };

/**
 * What staff do, in words: the same in menus, in ⌘K and in the list of shortcuts. `key` does it by itself, where nothing is typed.
 * Nothing that mails or removes people has a key: it takes ⌘K and its word.
 */
export const verbs = {
  edit: { label: "Edit", key: "e" },
  tag: { label: "Add tags …", key: "t" },
  untag: { label: "Remove tags …" },
  setField: { label: "Set a field …" },
  ask: { label: "Send confirmation again" },
  confirm: { label: "Send confirmations …" },
  activate: { label: "Make active" },
  unsubscribe: { label: "Unsubscribe" },
  copyAddress: { label: "Copy address" },
  copyId: { label: "Copy ID for the API" },
  copyLink: { label: "Copy confirmation link" },
  exportPerson: { label: "Export all data" },
  exportCsv: { label: "Export as CSV, for a spreadsheet" },
  exportLinks: { label: "Export as CSV, with unsubscribe links" },
  exportJson: { label: "Export as JSON, for a program" },
  selectPage: { label: "Select all on this page" },
  selectAll: { label: "Select all matches" },
  selectNobody: { label: "Clear selection" },
  rotate: { label: "Rotate (the old key works for 24 hours)" },
  rotateSlowly: { label: "Rotate (the old key works for 7 days)" },
  revoke: { label: "Revoke …" },
  erase: { label: "Erase …" },
  undo: { label: "Undo" },
  check: { label: "Check the list" },
  addPerson: { label: "Add a person", key: "c" },
  pasteList: { label: "Paste a list" },
} as const satisfies Record<string, Verb>;

export type VerbName = keyof typeof verbs;

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
export const keyOf = (verb: VerbName) => (verbs[verb] as Verb).key?.toUpperCase();

/** What a key does just now. */
export function offerOfKey(key: string): (() => void) | undefined {
  const all = offersNow().flatMap(({ offers }) => offers);
  return all.find(({ verb }) => (verbs[verb] as Verb).key === key)?.run;
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
