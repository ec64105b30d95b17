"use client";
import { Button } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { icons } from "../icons";
import styles from "./parts.module.css";

/** Copies, and says so. */
export function CopyButton({ value, children = "Copy" }: { value: string; children?: string }) {
  const { copied, copy } = useClipboard({ timeout: 2000 });
  return (
    <Button variant="default" leftSection={copied ? <icons.check /> : <icons.copy />} onClick={() => copy(value)}>
      <span aria-live="polite">{copied ? "Copied" : children}</span>
    </Button>
  );
}

/** Code that is there to be taken elsewhere. */
export function Code({ children, label }: { children: string; label: string }) {
  return (
    <div className={styles.code}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <pre tabIndex={0} aria-label={label}>
        {children}
      </pre>
      <CopyButton value={children} />
    </div>
  );
}
