import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import type { LinkedBulkKind, PlainBulkKind } from "@/server/bulk-actions/schema/bulk-actions";
import { MailingQuestion } from "../mail/mailing-question";
import { Confirm } from "../ui/confirm";
import { MoreMenu } from "../ui/more-menu";
import { notifyError } from "../ui/notify";
import { type Offer, OfferItems, useOffers } from "../ui/verbs";
import { BulkChangeForm, type BulkChangeKind } from "./bulk-change-form";
import { ForgetChoice } from "./forget-choice";
import { type BulkSelection, useBulkAction } from "./use-bulk-action";

/** Above this number of people, even an undoable action asks first. */
const ASK_ABOVE = 25;
/** Above this number of people, erasing requires typing the number. */
const TYPE_ABOVE = 100;

/** The action of a link to the People page. It opens at once and never starts unasked. */
type LinkedAction = { action: LinkedBulkKind | null; actionTag: string | null; closeAction(): unknown };

type QuestionKind = Exclude<PlainBulkKind, "confirm" | "forget">;
/** The action whose dialog is open. */
type Asked = QuestionKind | "confirm" | BulkChangeKind;

const isChange = (asked: Asked): asked is BulkChangeKind =>
  asked === "tag" || asked === "untag" || asked === "set_field";

/** Names in the page's address that belong to the open page, its panel and its dialogs. */
const ofThisPage = ["after", "before", "page", "person", "edit", "add", "action", "actionTag"];

/** The address of this list, limited to pending people. */
function pendingHref(): string {
  const query = new URLSearchParams(window.location.search);
  for (const name of ofThisPage) query.delete(name);
  query.set("status", "pending");
  return `${window.location.pathname}?${query}`;
}

type Props = {
  target: BulkSelection;
  selected: number;
  /** The name of the selected segment; null for any other selection. */
  segment: string | null;
  /** Number of pending people in the selection; null when unknown. */
  pending: number | null;
  linked: LinkedAction | null;
  onStarted(): void;
  /** Further actions for ⌘K. */
  others: Offer[];
  /** Further buttons, before the menu. */
  children: ReactNode;
};

/** Bulk actions: buttons, a menu and ⌘K entries. */
export function BulkActionButtons({
  target,
  selected,
  segment,
  pending,
  linked,
  onStarted,
  others,
  children,
}: Props) {
  const t = useTranslations("bulkActions.buttons");
  const { start, busy } = useBulkAction();
  const [asked, setAsked] = useState<Asked | null>(linked?.action ?? null);
  const close = () => {
    setAsked(null);
    void linked?.closeAction();
  };

  async function begin(kind: PlainBulkKind) {
    await start(kind, target);
    onStarted();
  }
  const beginAtOnce = (kind: PlainBulkKind) => void begin(kind).catch(notifyError);
  const single = selected === 1;
  const asks = single ? "no" : "yes";
  const choose = (kind: "activate" | "unsubscribe"): Offer => ({
    verb: kind,
    ...(selected > ASK_ABOVE && { label: t(`askFirst.${kind}`) }),
    run: () => (selected > ASK_ABOVE ? setAsked(kind) : beginAtOnce(kind)),
  });
  const confirm: Offer = {
    verb: "confirm",
    run: () => (single ? beginAtOnce("confirm") : setAsked("confirm")),
  };
  const menu: Offer[] = [
    choose("activate"),
    choose("unsubscribe"),
    { verb: "tag", run: () => setAsked("tag") },
    { verb: "untag", run: () => setAsked("untag") },
    { verb: "setField", run: () => setAsked("set_field") },
    { verb: "erase", run: () => setAsked("erase") },
  ];
  useOffers(t("selected", { n: selected }), [...(pending === 0 ? [] : [confirm]), ...menu, ...others]);

  return (
    <>
      {pending !== 0 && (
        <Button variant="default" loading={busy && asked === null} onClick={confirm.run}>
          {pending === null ? t("confirmUncounted", { asks }) : t("confirm", { n: pending, asks })}
        </Button>
      )}
      {children}
      <MoreMenu label={t("more")} inBar>
        <OfferItems offers={menu} />
      </MoreMenu>
      {asked && isChange(asked) && (
        <BulkChangeForm
          kind={asked}
          target={target}
          selected={selected}
          segment={segment}
          tags={linked?.actionTag ? [linked.actionTag] : []}
          onStarted={onStarted}
          onClose={close}
        />
      )}
      {asked === "confirm" && (
        <MailingQuestion
          kind="confirm"
          of={target}
          segment={segment}
          {...("filter" in target && { listHref: pendingHref() })}
          onConfirm={() => begin("confirm")}
          onClose={close}
        />
      )}
      {asked && asked !== "confirm" && !isChange(asked) && (
        <Question kind={asked} selected={selected} segment={segment} onClose={close} onConfirm={begin} />
      )}
    </>
  );
}

type QuestionProps = {
  kind: QuestionKind;
  selected: number;
  segment: string | null;
  onClose(): void;
  onConfirm(kind: PlainBulkKind): Promise<void>;
};

function Question({ kind, selected, segment, onClose, onConfirm }: QuestionProps) {
  const t = useTranslations("bulkActions.question");
  const [forget, setForget] = useState(false);
  const isErase = kind === "erase";
  return (
    <Confirm
      title={
        segment === null
          ? t(`title.${kind}`, { n: selected })
          : t(`titleOfSegment.${kind}`, { n: selected, segment })
      }
      action={t(`action.${kind}`, { n: selected })}
      danger={isErase}
      guarded={isErase}
      typed={isErase && selected > TYPE_ABOVE ? selected : null}
      onClose={onClose}
      onConfirm={() => onConfirm(isErase && forget ? "forget" : kind)}
    >
      <p>{t(`text.${kind}`)}</p>
      {isErase && <ForgetChoice forget={forget} onChange={setForget} left={null} />}
    </Confirm>
  );
}
