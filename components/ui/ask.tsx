"use client";
import { Button, Modal, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { rejectionOf } from "../trpc";
import { count } from "./numbers";
import styles from "./parts.module.css";

type Props = {
  title: string;
  /** What will happen, and what cannot be taken back. */
  children: ReactNode;
  /** A verb with its number. */
  act: string;
  danger?: boolean;
  /** A number to be typed first, so that nobody does this by a slip. */
  typed?: number | null;
  busy: boolean;
  error?: unknown;
  onAct(): void;
  onClose(): void;
};

/** Asks before something that cannot be undone. */
export function Ask({
  title,
  children,
  act,
  danger = false,
  typed = null,
  busy,
  error,
  onAct,
  onClose,
}: Props) {
  const [text, setText] = useState("");
  const sure = typed === null || text.replace(/\D/g, "") === String(typed);
  return (
    <Modal opened onClose={onClose} title={title} closeOnClickOutside={!busy} closeOnEscape={!busy}>
      <div className={styles.ask}>{children}</div>
      {typed !== null && (
        <TextInput
          mt="md"
          label={`Type ${count(typed)} to be sure`}
          inputMode="numeric"
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          data-autofocus
        />
      )}
      {error !== undefined && error !== null && (
        <p className={styles.wrong} role="alert">
          {rejectionOf(error).message}
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
          disabled={!sure}
          data-autofocus={danger ? undefined : true}
        >
          {act}
        </Button>
      </div>
    </Modal>
  );
}
