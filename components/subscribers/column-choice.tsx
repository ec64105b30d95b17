import { ActionIcon, Button, Checkbox, Text } from "@mantine/core";
import { type KeyboardEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslations } from "use-intl";
import { Popover } from "../ui/floating";
import { icons } from "../ui/icons";
import styles from "./people.module.css";
import type { Column, PeopleView } from "./view-state";

export function ColumnChoice({ view }: { view: PeopleView }) {
  const t = useTranslations("people.columns");
  return (
    <Popover
      position="bottom-end"
      width={264}
      shadow="md"
      transitionProps={{ duration: 120 }}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          fw={400}
          flex="none"
          ml="auto"
          c="dimmed"
          rightSection={<icons.down />}
        >
          {t("label")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t("label")} p="xs">
        <ColumnList view={view} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Lists all columns, shown columns first. Ticked columns keep their position while the choice is open. */
function ColumnList({ view }: { view: PeopleView }) {
  const t = useTranslations("people.columns");
  const list = useRef<HTMLUListElement>(null);
  const [order, setOrder] = useState(() => [...new Set([...view.columns, ...view.allColumns])]);
  const [moved, setMoved] = useState("");

  const show = (chosen: Column[]) => view.setColumns(chosen.map(({ name }) => name));
  const toggle = (column: Column) =>
    show(order.filter((one) => view.columns.includes(one) !== (one === column)));

  function move(column: Column, by: -1 | 1) {
    const [from, to] = [order.indexOf(column), order.indexOf(column) + by];
    const other = order[to];
    if (other === undefined) return;
    const next = order.with(to, column).with(from, other);
    // A moved row loses the focus, and so does a button disabled at an end. flushSync restores it before the next key.
    flushSync(() => {
      setOrder(next);
      setMoved(t("moved", { column: column.word, to: to + 1, total: next.length }));
    });
    const row = list.current?.children[to];
    const button = row?.querySelectorAll("button")[by === -1 ? 0 : 1];
    (button?.disabled ? row?.querySelector("input") : button)?.focus();
    show(next.filter((one) => view.columns.includes(one)));
  }

  const onKey = (event: KeyboardEvent, column: Column) => {
    const by = event.altKey && ({ ArrowUp: -1, ArrowDown: 1 } as const)[event.key];
    if (!by) return;
    event.preventDefault();
    move(column, by);
  };

  return (
    <>
      <ul ref={list} className={styles.columnList}>
        {order.map((column, i) => {
          const { name, word } = column;
          return (
            <li key={name} onKeyDown={(event) => onKey(event, column)}>
              <Checkbox
                size="xs"
                label={word}
                checked={view.columns.includes(column)}
                onChange={() => toggle(column)}
              />
              <ActionIcon
                size="sm"
                aria-label={t("moveUp", { column: word })}
                disabled={i === 0}
                onClick={() => move(column, -1)}
              >
                <icons.up />
              </ActionIcon>
              <ActionIcon
                size="sm"
                aria-label={t("moveDown", { column: word })}
                disabled={i === order.length - 1}
                onClick={() => move(column, 1)}
              >
                <icons.down />
              </ActionIcon>
            </li>
          );
        })}
      </ul>
      <Text fz="xs" c="dimmed" px={4} pt={6}>
        {t("emailFirst")} {view.saved?.columns ? t("ofSegment") : t("ofBrowser")}
      </Text>
      <p className="sr" aria-live="polite">
        {moved}
      </p>
    </>
  );
}
