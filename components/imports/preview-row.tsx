import { Anchor, Group } from "@mantine/core";
import { memo, type ReactNode, type Ref } from "react";
import { count } from "../ui/numbers";
import { StatusPill } from "../ui/status";
import { groupWords } from "./counts-bar";
import styles from "./form.module.css";
import type { ListSession } from "./list-session";
import type { Item } from "./reading/messages";

type Props = {
  ref: Ref<HTMLTableRowElement>;
  index: number;
  top: number;
  /** How high it is thought to be. */
  height: number;
  /** Null while it is on its way. */
  item: Item | null;
  version: number;
  session: ListSession;
  /** Its buttons are those that Tab reaches. */
  isActive: boolean;
  onActive(index: number): void;
  onFixed(index: number): void;
};

/**
 * One entry of the list: as it will be stored, what happens, why, and the fixes where there are some. Drawn again only when
 * it changes, and of plain elements: dozens come into sight with each turn of the wheel.
 */
export const PreviewRow = memo(function PreviewRow(props: Props) {
  const { ref, index, top, height, item, isActive, onActive, onFixed, ...rest } = props;
  return (
    <tr
      ref={ref}
      data-index={index}
      data-group={item?.group}
      aria-rowindex={index + 2}
      style={{ transform: `translateY(${top}px)`, minHeight: item ? 0 : height }}
      onFocus={() => onActive(index)}
    >
      {item && <Cells item={item} tabIndex={isActive ? 0 : -1} onFixed={() => onFixed(index)} {...rest} />}
    </tr>
  );
});

type CellsProps = Pick<Props, "version" | "session"> & { item: Item; tabIndex: number; onFixed(): void };

function Cells({ item, version, session, onFixed, tabIndex }: CellsProps) {
  const { group, line, text, name, status, message } = item;
  return (
    <>
      <td>
        <button type="button" tabIndex={tabIndex} onClick={() => session.goTo(item, version)}>
          <span className="sr">Line </span>
          {count(line)}
        </button>
      </td>
      <td>{text}</td>
      <td>{name}</td>
      <td>{status && <StatusPill status={status} />}</td>
      <td>{groupWords[group].happens}</td>
      <td>
        {message && <p>{message}</p>}
        <Fixes {...{ item, version, session, onFixed, tabIndex }} />
      </td>
    </>
  );
}

function Fixes({ item, version, session, onFixed, tabIndex }: CellsProps) {
  const { line, text, suggestion, slip, deletable } = item;
  if (!suggestion && !deletable) return null;
  const button = (label: string | null, change: () => Promise<unknown>, children: ReactNode) => (
    <Anchor
      component="button"
      type="button"
      size="sm"
      data-fix
      tabIndex={tabIndex}
      {...(label && { "aria-label": label })}
      onClick={async () => {
        await change();
        onFixed();
      }}
    >
      {children}
    </Anchor>
  );
  const fix = () => session.fix(item, version);
  return (
    <Group gap="0 14" className={styles.fixes}>
      {suggestion &&
        button(
          null,
          fix,
          <>
            Use <b>{suggestion}</b>
          </>,
        )}
      {slip && button(`Keep ${text}`, () => session.keep(slip.canonical), "Keep")}
      {deletable && button(null, fix, `Delete line ${count(line)}`)}
      {slip && slip.people > 1 && (
        <>
          {button(
            `Use ${slip.suggestedDomain} for all ${count(slip.people)} at ${slip.domain}`,
            () => session.fixDomain(slip.domain),
            <>
              All {count(slip.people)}: {slip.domain} → <b>{slip.suggestedDomain}</b>
            </>,
          )}
          {button(
            `Keep ${slip.domain} for all ${count(slip.people)}`,
            () => session.keep(`@${slip.domain}`),
            `Keep all ${count(slip.people)}`,
          )}
        </>
      )}
    </Group>
  );
}
