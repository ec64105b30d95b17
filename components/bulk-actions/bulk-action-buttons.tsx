"use client";
import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { PlainBulkKind } from "@/server/contract/bulk-actions";
import { MailingQuestion } from "../mails/mailing-question";
import { Confirm } from "../ui/confirm";
import { MoreMenu } from "../ui/more-menu";
import { counted, people } from "../ui/numbers";
import { type Offer, OfferItems, useOffers, verbs } from "../ui/verbs";
import { BulkChangeForm, type BulkChangeKind } from "./bulk-change-form";
import { ForgetChoice } from "./forget-choice";
import { type BulkSelection, useBulkAction } from "./use-bulk-action";

/** More people than this are asked about even where it can be undone. */
const ASK_ABOVE = 25;
/** To erase more people than this, their number has to be typed. */
const TYPE_ABOVE = 100;

const questions: Record<
  Exclude<PlainBulkKind, "confirm" | "forget">,
  { verb(who: string): string; text: string }
> = {
  activate: {
    verb: (who) => `Make ${who} active`,
    text: "They are added without confirming. Unsubscribed people stay unsubscribed until they confirm by email themselves. You can undo this for a day.",
  },
  unsubscribe: {
    verb: (who) => `Unsubscribe ${who}`,
    text: "They stay on the list as unsubscribed and receive no more emails. You can undo this for a day. After that, only they can resubscribe.",
  },
  erase: {
    verb: (who) => `Erase ${who}`,
    text: "Their data, emails and activity are deleted permanently. This cannot be undone.",
  },
};

/** This list without those who are not pending. */
function pendingHref(): string {
  const query = new URLSearchParams(window.location.search);
  for (const name of ["after", "before", "page", "person", "add"]) query.delete(name);
  query.set("status", "pending");
  return `${window.location.pathname}?${query}`;
}

type Props = {
  target: BulkSelection;
  selected: number;
  /** The name of the segment whose people they are; null when they are chosen otherwise. */
  segment: string | null;
  /** How many of them are pending; null when it is not known. */
  pending: number | null;
  onStarted(): void;
  /** What else can be done with them, for ⌘K. */
  others: Offer[];
  /** Other buttons, before the menu. */
  children: ReactNode;
};

/** What can be done to many people at once: as buttons, in a menu and in ⌘K. */
export function BulkActionButtons({
  target,
  selected,
  segment,
  pending,
  onStarted,
  others,
  children,
}: Props) {
  const { start, busy } = useBulkAction();
  const [asking, setAsking] = useState<keyof typeof questions | "confirm" | null>(null);
  const [changing, setChanging] = useState<BulkChangeKind | null>(null);
  const from = segment === null ? "" : ` of the segment ${segment}`;

  async function begin(kind: PlainBulkKind) {
    const started = await start(kind, target);
    setAsking(null);
    if (started) onStarted();
  }
  const single = selected === 1;
  const choose = (kind: "activate" | "unsubscribe"): Offer => ({
    verb: kind,
    label: verbs[kind].label + (selected > ASK_ABOVE ? " …" : ""),
    run: () => (selected > ASK_ABOVE ? setAsking(kind) : void begin(kind)),
  });
  const confirm: Offer = {
    verb: "confirm",
    run: () => (single ? void begin("confirm") : setAsking("confirm")),
  };
  const menu: Offer[] = [
    choose("activate"),
    choose("unsubscribe"),
    { verb: "tag", run: () => setChanging("tag") },
    { verb: "untag", run: () => setChanging("untag") },
    { verb: "setField", run: () => setChanging("set_field") },
    { verb: "erase", run: () => setAsking("erase") },
  ];
  useOffers(`${people(selected)} selected`, [...(pending === 0 ? [] : [confirm]), ...menu, ...others]);

  return (
    <>
      {pending !== 0 && (
        <Button variant="default" loading={busy && asking === null} onClick={confirm.run}>
          {pending === null ? "Send confirmations" : `Send ${counted(pending, "confirmation")}`}
          {!single && " …"}
        </Button>
      )}
      {children}
      <MoreMenu label="these people" inBar>
        <OfferItems offers={menu} />
      </MoreMenu>
      {changing && (
        <BulkChangeForm
          kind={changing}
          target={target}
          selected={selected}
          from={from}
          onStarted={onStarted}
          onClose={() => setChanging(null)}
        />
      )}
      {asking === "confirm" && (
        <MailingQuestion
          kind="confirm"
          of={target}
          to={segment === null ? "" : ` to people of the segment ${segment}`}
          {...("filter" in target && { listHref: pendingHref() })}
          busy={busy}
          onConfirm={() => begin("confirm")}
          onClose={() => setAsking(null)}
        />
      )}
      {asking && asking !== "confirm" && (
        <Question
          kind={asking}
          selected={selected}
          from={from}
          busy={busy}
          onClose={() => setAsking(null)}
          onConfirm={begin}
        />
      )}
    </>
  );
}

type QuestionProps = {
  kind: keyof typeof questions;
  selected: number;
  /** Which segment they are of, to follow what is asked. */
  from: string;
  busy: boolean;
  onClose(): void;
  onConfirm(kind: PlainBulkKind): void;
};

/** Asks before something is done to many. */
function Question({ kind, selected, from, busy, onClose, onConfirm }: QuestionProps) {
  const [forget, setForget] = useState(false);
  const { verb, text } = questions[kind];
  const action = verb(people(selected));
  const isErase = kind === "erase";
  return (
    <Confirm
      title={`${action}${from}?`}
      action={action}
      danger={isErase}
      typed={isErase && selected > TYPE_ABOVE ? selected : null}
      busy={busy}
      onClose={onClose}
      onConfirm={() => onConfirm(isErase && forget ? "forget" : kind)}
    >
      <p>{text}</p>
      {isErase && <ForgetChoice forget={forget} onChange={setForget} left={null} />}
    </Confirm>
  );
}
