"use client";
import { Button, Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { refusalOf } from "../api";
import styles from "./parts.module.css";

type Props = {
  title: string;
  /** What will happen, and what cannot be taken back. */
  children: ReactNode;
  /** A verb with its number. */
  act: string;
  danger?: boolean;
  busy: boolean;
  error?: unknown;
  onAct(): void;
  onClose(): void;
};

/** Asks before something that cannot be undone. */
export function Ask({ title, children, act, danger = false, busy, error, onAct, onClose }: Props) {
  return (
    <Modal opened onClose={onClose} title={title} closeOnClickOutside={!busy} closeOnEscape={!busy}>
      <div className={styles.ask}>{children}</div>
      {error !== undefined && error !== null && (
        <p className={styles.wrong} role="alert">
          {refusalOf(error).message}
        </p>
      )}
      <div className={styles.askActs}>
        <Button variant="default" onClick={onClose} disabled={busy}>
          Cancel
        </Button>
        <Button
          color={danger ? "red" : undefined}
          onClick={onAct}
          loading={busy}
          data-autofocus={danger ? undefined : true}
        >
          {act}
        </Button>
      </div>
    </Modal>
  );
}
