"use client";
import { ActionIcon, Box, Group } from "@mantine/core";
import { Fragment, type ReactNode, useEffect, useRef } from "react";
import { useLocale, useTranslations } from "use-intl";
import { icons } from "./icons";
import styles from "./kit.module.css";

type Props = {
  /** What it is about, for those who do not see it. */
  label: string;
  /** Its status, at the top left. */
  state: ReactNode;
  /** Goes to the one before or after in the list, by buttons beside the close button; null: there are none. */
  onStep: ((by: 1 | -1) => void) | null;
  wide?: boolean;
  /** The keyboard goes on in it. */
  takesFocus?: boolean;
  onClose(): void;
  children: ReactNode;
};

/** One thing of a list, over the list's right side; on a phone over all of it. */
export function SidePanel({
  label,
  state,
  onStep,
  wide = false,
  takesFocus = false,
  onClose,
  children,
}: Props) {
  const t = useTranslations("ui.panel");
  const language = useLocale();
  // German writes nouns with a capital everywhere.
  const what = language === "de" ? label : label.toLocaleLowerCase(language);
  const panel = useRef<HTMLElement>(null);

  // On a narrow screen the panel covers the list: the reader has to be in it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as it opens
  useEffect(() => {
    if (takesFocus || window.matchMedia("(max-width: 820px)").matches) panel.current?.focus();
  }, []);

  return (
    <aside
      className={styles.panel}
      data-wide={wide || undefined}
      aria-label={label}
      ref={panel}
      tabIndex={-1}
    >
      <Group gap={2} mb="sm">
        <Box mr="auto">{state}</Box>
        {onStep && (
          <>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t("previous", { what })}
              onClick={() => onStep(-1)}
            >
              <icons.up />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t("next", { what })}
              onClick={() => onStep(1)}
            >
              <icons.down />
            </ActionIcon>
          </>
        )}
        <ActionIcon variant="subtle" color="gray" aria-label={t("close")} onClick={onClose}>
          <icons.close />
        </ActionIcon>
      </Group>
      {children}
    </aside>
  );
}

/** The keyboard goes on in the panel that is open. */
export const focusPanel = () => document.querySelector<HTMLElement>(`.${styles.panel}`)?.focus();

/** What is known of one thing, by name; what is null, false or empty is left out. */
export function Facts({ facts }: { facts: [name: string, value: ReactNode][] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(
        ([name, value]) =>
          value && (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}
