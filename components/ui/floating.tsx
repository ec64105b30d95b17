import type { Menu as MantineMenu, Popover as MantinePopover } from "@mantine/core";
import {
  type ComponentProps,
  type ComponentType,
  cloneElement,
  createContext,
  type ReactElement,
  type ReactNode,
  use,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { loadSoon } from "./on-demand";
import { makeStore, useStored } from "./store";

type Parts = typeof import("./floating-parts");

const parts = makeStore<Parts | null>(null);

/** The button that was pressed before the script was there. */
let pressed: Element | null = null;

/** Loads Mantine's menu and popover, and replaces all buttons by theirs. The replacements keep the focus and the press. */
async function load(): Promise<void> {
  const loaded = await import("./floating-parts");
  if (parts.get()) return;
  const buttons = () => Array.from(document.querySelectorAll<HTMLElement>("[data-floating]"));
  const before: (Element | null)[] = buttons();
  const [focused, opened] = [document.activeElement, pressed].map((button) => before.indexOf(button));
  flushSync(() => parts.set(loaded));
  buttons()[focused ?? -1]?.focus();
  buttons()[opened ?? -1]?.click();
}
loadSoon(() => load().catch(() => {}));

const useParts = () => useStored(parts);

/** Reports that the script did not load, to the menu or popover around a button. */
const Failing = createContext<(failure: { error: unknown }) => void>(() => {});

/** Renders only the button until Mantine's component has loaded: with its positioning it weighs 25 kB. */
function Lazy({ name, props }: { name: "Menu" | "Popover"; props: { children?: ReactNode } }) {
  const loaded = useParts();
  const [failure, setFailure] = useState<{ error: unknown } | null>(null);
  if (failure) throw failure.error;
  if (!loaded) return <Failing value={setFailure}>{props.children}</Failing>;
  const Loaded = loaded[name] as ComponentType<object>;
  return <Loaded {...props} />;
}

const popups = { Menu: "menu", Popover: "dialog" } as const;

function targetOf(name: "Menu" | "Popover") {
  return function Target({ children }: { children: ReactElement<ComponentProps<"button">> }) {
    const loaded = useParts();
    const fail = use(Failing);
    const button = cloneElement(children, { "data-floating": "" } as object);
    if (loaded) {
      const { Target } = loaded[name];
      return <Target>{button}</Target>;
    }
    return cloneElement(button, {
      "aria-haspopup": popups[name],
      "aria-expanded": false,
      onClick({ currentTarget }) {
        pressed = currentTarget;
        load().catch((error: unknown) => fail({ error }));
      },
    });
  };
}

/** A part of an open menu or popover. */
function partOf(name: "Menu" | "Popover", part: string) {
  return function Part(props: object) {
    const loaded = useParts();
    if (!loaded) return null;
    const Loaded = (loaded[name] as unknown as Record<string, ComponentType<object>>)[part] as ComponentType;
    return <Loaded {...props} />;
  };
}

const partsOf = (name: "Menu" | "Popover", names: readonly string[]) =>
  Object.fromEntries(names.map((part) => [part, partOf(name, part)]));

const menuParts = [
  ...["Dropdown", "Item", "Label", "Divider"],
  ...["RadioGroup", "RadioItem", "CheckboxGroup", "CheckboxItem"],
];

/** Mantine's menu. Its script loads with the first movement or key on the page. */
export const Menu = Object.assign(
  (props: ComponentProps<typeof MantineMenu>) => <Lazy name="Menu" props={props} />,
  { Target: targetOf("Menu"), ...partsOf("Menu", menuParts) },
) as unknown as typeof MantineMenu;

/** Mantine's popover, which loads like the menu. */
export const Popover = Object.assign(
  (props: ComponentProps<typeof MantinePopover>) => <Lazy name="Popover" props={props} />,
  { Target: targetOf("Popover"), ...partsOf("Popover", ["Dropdown"]) },
) as unknown as typeof MantinePopover;
