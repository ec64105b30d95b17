import { Button } from "@mantine/core";
import { type ComponentPropsWithRef, type ReactNode, useState } from "react";
import { useLocale, useTranslations } from "use-intl";
import { Menu, Popover } from "./floating";
import { icons } from "./icons";
import styles from "./kit.module.css";
import { dateLocales } from "./time";

type Option<Value> = { value: Value; label: string; note?: string };
type ButtonProps = {
  label: string;
  /** The label of what is chosen; nothing for "any". */
  chosen?: string | null;
};
type Props<Value extends string> = ButtonProps & {
  value: Value | null;
  /** Groups of options, separated by lines. */
  options: readonly (readonly Option<Value>[])[];
  onChoose(value: Value | null): void;
};

/** A menu for one option or any. Its button shows the chosen option, or `chosen` for a value that is no option. */
export function Choice<Value extends string>(props: Props<Value>): ReactNode {
  const { label, chosen, value, options, onChoose } = props;
  const t = useTranslations("ui.choice");
  const option = options.flat().find((one) => one.value === value);
  return (
    <ChoiceMenu label={label} chosen={chosen ?? option?.label ?? value}>
      <Menu.RadioGroup
        value={value ?? "any"}
        onChange={(one) => onChoose(one === "any" ? null : (one as Value))}
      >
        <Menu.RadioItem value="any" closeMenuOnClick>
          {t("any")}
        </Menu.RadioItem>
        {options.map((group) => [
          <Menu.Divider key={`before ${group[0]?.value}`} />,
          ...group.map((option) => (
            <Menu.RadioItem
              key={option.value}
              value={option.value}
              closeMenuOnClick
              rightSection={option.note && <span className={styles.quiet}>{option.note}</span>}
            >
              {option.label}
            </Menu.RadioItem>
          )),
        ])}
      </Menu.RadioGroup>
    </ChoiceMenu>
  );
}

type SeveralProps<Value extends string> = {
  label: string;
  /** The chosen values; empty for "any". */
  values: readonly Value[];
  options: readonly Option<Value>[];
  onChoose(values: Value[]): void;
};

/** A menu for several options or any. It stays open, and its button shows the chosen options. */
export function SeveralChoice<Value extends string>(props: SeveralProps<Value>): ReactNode {
  const { label, values, options, onChoose } = props;
  const t = useTranslations("ui.choice");
  const or = new Intl.ListFormat(dateLocales[useLocale()], { type: "disjunction" });
  const chosen = values.map((value) => options.find((option) => option.value === value)?.label ?? value);
  return (
    <ChoiceMenu label={label} chosen={or.format(chosen)}>
      <Menu.CheckboxItem checked={values.length === 0} closeMenuOnClick onChange={() => onChoose([])}>
        {t("any")}
      </Menu.CheckboxItem>
      <Menu.Divider />
      <Menu.CheckboxGroup value={[...values]} onChange={(chosen) => onChoose(chosen as Value[])}>
        {options.map(({ value, label: word }) => (
          <Menu.CheckboxItem key={value} value={value} closeMenuOnClick={false}>
            {word}
          </Menu.CheckboxItem>
        ))}
      </Menu.CheckboxGroup>
    </ChoiceMenu>
  );
}

function ChoiceMenu({ children, ...button }: ButtonProps & { children: ReactNode }) {
  return (
    <Menu position="bottom-start" width={240}>
      <Menu.Target>
        <ChoiceButton {...button} />
      </Menu.Target>
      <Menu.Dropdown className={styles.options}>{children}</Menu.Dropdown>
    </Menu>
  );
}

type PopoverProps = ButtonProps & {
  /** The popover's name, if it differs from the label. */
  name?: string;
  width?: number;
  className?: string;
  children(close: () => void): ReactNode;
};

/** A button that shows the chosen values and opens a popover with inputs. */
export function PopoverChoice({ label, chosen, name = label, className, children, ...rest }: PopoverProps) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-start"
      shadow="md"
      transitionProps={{ duration: 120 }}
      trapFocus
      returnFocus
      {...rest}
    >
      <Popover.Target>
        <ChoiceButton label={label} chosen={chosen} onClick={() => setOpened(!opened)} />
      </Popover.Target>
      <Popover.Dropdown aria-label={name} className={className}>
        {opened && children(() => setOpened(false))}
      </Popover.Dropdown>
    </Popover>
  );
}

type ChipProps = {
  /** Describes the effect of a click, for screen readers. */
  label: string;
  onRemove(): void;
  children: ReactNode;
};

/** A filter without a menu. A click removes it. */
export function FilterChip({ label, onRemove, children }: ChipProps) {
  return (
    <Button
      variant="default"
      className={styles.choice}
      data-set
      rightSection={<icons.close />}
      aria-label={label}
      onClick={onRemove}
    >
      {children}
    </Button>
  );
}

/** The button of a choice: its label and the chosen option. */
function ChoiceButton({ label, chosen, ...rest }: ButtonProps & ComponentPropsWithRef<"button">) {
  const t = useTranslations("ui.choice");
  return (
    <Button
      {...rest}
      variant="default"
      className={styles.choice}
      data-set={chosen ? true : undefined}
      rightSection={<icons.down />}
    >
      {chosen ? t("chosen", { label, chosen }) : label}
    </Button>
  );
}
