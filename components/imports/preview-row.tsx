import { Group } from "@mantine/core";
import { memo, type ReactNode, type Ref } from "react";
import { useLocale, useTranslations } from "use-intl";
import type { StoredEvidence } from "@/server/imports/schema/imports";
import { listEvidence } from "../subscribers/evidence-text";
import { bold } from "../texts/bold";
import { fromServer } from "../texts/server-sentences";
import type { Texts } from "../texts/texts";
import { LinkButton } from "../ui/link-button";
import { StatusPill } from "../ui/status-pill";
import styles from "./form.module.css";
import type { ListSession } from "./list-session";
import type { Item } from "./reading/preview-item";

type Props = {
  ref: Ref<HTMLTableRowElement>;
  index: number;
  top: number;
  /** Null while the item loads. */
  item: Item | null;
  version: number;
  session: ListSession;
  /** Tab reaches the buttons of this row only. */
  isActive: boolean;
  onActive(index: number): void;
  onFixed(index: number): void;
};

/**
 * One entry of the list: the stored values, the outcome, its reason and any fixes. The row uses plain elements and
 * renders only when it changes: dozens of rows appear at each wheel step.
 */
export const PreviewRow = memo(function PreviewRow(props: Props) {
  const { ref, index, top, item, isActive, onActive, onFixed, ...rest } = props;
  return (
    <tr
      ref={ref}
      data-index={index}
      data-group={item?.group}
      aria-rowindex={index + 2}
      style={{ transform: `translateY(${top}px)` }}
      onFocus={() => onActive(index)}
    >
      {item && <Cells item={item} tabIndex={isActive ? 0 : -1} onFixed={() => onFixed(index)} {...rest} />}
    </tr>
  );
});

type CellsProps = Pick<Props, "version" | "session"> & { item: Item; tabIndex: number; onFixed(): void };

function Cells({ item, version, session, onFixed, tabIndex }: CellsProps) {
  const t = useTranslations("imports.preview");
  const { group, line, text, name, status } = item;
  const writing = { t: useTranslations("people.evidence"), language: useLocale() };
  const why = whyOf(item, t, (evidence) => listEvidence(evidence, writing));
  return (
    <>
      <td>
        <button type="button" tabIndex={tabIndex} onClick={() => session.goTo(item, version)}>
          {t.rich("line", { n: line, hidden: (chunks) => <span className="sr">{chunks}</span> })}
        </button>
      </td>
      <td>{text}</td>
      <td>{name}</td>
      <td>{status && <StatusPill status={status} />}</td>
      <td>{t(`results.${group}`)}</td>
      <td>
        {why && <p>{why}</p>}
        <Fixes {...{ item, version, session, onFixed, tabIndex }} />
      </td>
    </>
  );
}

/** Explains an entry's outcome and the list values stored with it. */
function whyOf(
  { group, message, evidence, fields, tags }: Item,
  t: Texts<"imports.preview">,
  evidenceText: (evidence: StoredEvidence) => string,
): string {
  const said = evidence && evidenceText(evidence);
  const attributes = Object.entries(fields).map(([key, value]) => `${key}: ${value}`);
  if (tags.length > 0) attributes.push(t("tags", { tags: tags.join(", ") }));
  return [
    fromServer(message),
    said && (group === "here" ? t("checkPerson", { evidence: said }) : `${said}.`),
    attributes.join(" · "),
  ]
    .filter(Boolean)
    .join(" ");
}

function Fixes({ item, version, session, onFixed, tabIndex }: CellsProps) {
  const t = useTranslations("imports.preview");
  const { line, text, suggestion, slip, edits } = item;
  if (edits.length === 0) return null;
  const button = (children: ReactNode, change: () => Promise<unknown>, label?: string) => (
    <LinkButton
      data-fix
      tabIndex={tabIndex}
      aria-label={label}
      onClick={async () => {
        await change();
        onFixed();
      }}
    >
      {children}
    </LinkButton>
  );
  const fix = () => session.fix(item, version);
  const { domain = "", suggestedDomain: meant = "", people: n = 0 } = slip ?? {};
  return (
    <Group gap="0 14" className={styles.fixes}>
      {button(suggestion ? t.rich("use", { suggestion, b: bold }) : t("deleteLine", { n: line }), fix)}
      {slip && button(t("keep"), () => session.keep(slip.canonical), t("keepAddress", { address: text }))}
      {slip && n > 1 && (
        <>
          {button(
            t.rich("all", { n, domain, suggestion: meant, b: bold }),
            () => session.fixDomain(domain),
            t("useForAll", { suggestion: meant, n, domain }),
          )}
          {button(t("keepAll", { n }), () => session.keep(`@${domain}`), t("keepForAll", { domain, n }))}
        </>
      )}
    </Group>
  );
}
