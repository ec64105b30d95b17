import { ActionIcon, Box, Group } from "@mantine/core";
import { Fragment, type ReactNode, useEffect, useRef } from "react";
import { useLocale, useTranslations } from "use-intl";
import { icons } from "./icons";
import styles from "./kit.module.css";

type Props = {
  /** The panel's name for screen readers. */
  label: string;
  /** Its status, at the top left. */
  state: ReactNode;
  /** Opens the previous or next item, by buttons beside the close button; null hides the buttons. */
  onStep: ((by: 1 | -1) => void) | null;
  wide?: boolean;
  /** Moves the focus into the panel. */
  takesFocus?: boolean;
  onClose(): void;
  children: ReactNode;
};

/** One item of a list, over the list's right side. On a phone it covers the list. */
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
  // German capitalizes nouns everywhere.
  const what = language === "de" ? label : label.toLocaleLowerCase(language);
  const panel = useRef<HTMLElement>(null);

  // On a narrow screen the panel covers the list, so the focus must move into the panel.
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
            <ActionIcon aria-label={t("previous", { what })} onClick={() => onStep(-1)}>
              <icons.up />
            </ActionIcon>
            <ActionIcon aria-label={t("next", { what })} onClick={() => onStep(1)}>
              <icons.down />
            </ActionIcon>
          </>
        )}
        <ActionIcon aria-label={t("close")} onClick={onClose}>
          <icons.close />
        </ActionIcon>
      </Group>
      {children}
    </aside>
  );
}

/** Moves the focus into the open panel. */
export const focusPanel = () => document.querySelector<HTMLElement>(`.${styles.panel}`)?.focus();

export type Fact = [name: string, value: ReactNode];

/** Lists named values. Null, false and empty values are left out. */
export function Facts({ facts }: { facts: Fact[] }) {
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
