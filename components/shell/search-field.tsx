import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { icons } from "../ui/icons";
import kit from "../ui/kit.module.css";
import { useShortcuts } from "./shortcuts";

const TYPING_MS = 160;

type Props = {
  label: string;
  value: string;
  /** Called when the typing pauses. */
  onChange(text: string): void;
  /** Called by Enter in a text, after `onChange`. */
  onEnter?(): void;
};

/**
 * Opens a list's first result after Enter in the search. @param query the list, whose results may arrive later
 * @returns the field's `onEnter`
 */
export function useOpenFirst(
  { isSuccess, isPlaceholderData }: { isSuccess: boolean; isPlaceholderData: boolean },
  first: { id: string } | undefined,
  open: (id: string) => void,
): () => void {
  const [isEntered, setEntered] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `open` is new in each render
  useEffect(() => {
    if (!isEntered || !isSuccess || isPlaceholderData) return;
    setEntered(false);
    if (first) open(first.id);
  }, [isEntered, isSuccess, isPlaceholderData, first]);
  return () => setEntered(true);
}

/** A list's search. "/" focuses it, Enter opens the first result, and Esc, which browsers use to clear, leaves it. */
export function SearchField({ label, value, onChange, onEnter }: Props) {
  const ref = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(value);
  /** Typed text that is not in the address yet. */
  const ahead = useRef<string | null>(null);
  const search = useDebouncedCallback((text: string) => {
    if (text === value) ahead.current = null;
    onChange(text);
  }, TYPING_MS);
  // The address may change without typing, by another search in the palette or by Back.
  useEffect(() => {
    if (ahead.current !== null && ahead.current !== value) return;
    ahead.current = null;
    setTyped(value);
  }, [value]);
  useShortcuts({ "/": () => ref.current?.focus() });
  return (
    <TextInput
      ref={ref}
      className={kit.search}
      aria-label={label}
      placeholder={label}
      type="search"
      leftSection={<icons.search />}
      rightSection={typed === "" ? <kbd>/</kbd> : undefined}
      value={typed}
      onChange={(event) => {
        ahead.current = event.currentTarget.value;
        setTyped(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
      onKeyDown={(event) => {
        if (!["Enter", "Escape"].includes(event.key) || event.nativeEvent.isComposing) return;
        event.currentTarget.blur();
        search.flush();
        if (event.key === "Enter" && typed !== "") onEnter?.();
      }}
    />
  );
}
