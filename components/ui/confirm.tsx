import { Button, Group, Stack, TextInput } from "@mantine/core";
import { type ReactNode, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { rejectionOf } from "../trpc";
import { Dialog } from "./dialog";
import { notifyError } from "./notify";
import { useCount } from "./numbers";
import { Problem } from "./states";

type Props = {
  title: string;
  /** The consequences, and the part that can't be undone. */
  children: ReactNode;
  /** The confirm button's text: a verb with its number. */
  action: string;
  /** The cancel button's text. */
  cancel?: string;
  danger?: boolean;
  /** The action requires a recent sign-in. */
  guarded?: boolean;
  /** A number or name that must be typed first, to prevent slips. */
  typed?: number | string | null;
  /** The caller runs the action. */
  busy?: boolean;
  /** The action would change nothing. */
  disabled?: boolean;
  error?: unknown;
  /** May return a promise. The dialog then shows its error, or closes when it succeeds. */
  onConfirm(): unknown;
  onClose(): void;
};

/** Asks before a large or irreversible action. */
export function Confirm({ title, children, action, onConfirm, onClose, ...rest }: Props) {
  const t = useTranslations("ui.confirm");
  const count = useCount();
  const { cancel = t("cancel"), danger = false, typed = null, disabled = false } = rest;
  const [text, setText] = useState("");
  const [running, setRunning] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const busy = rest.busy || running;
  const error = rest.error ?? failure;
  const content = useRef<HTMLDivElement>(null);
  const confirm = async () => {
    const result = onConfirm();
    if (!(result instanceof Promise)) return;
    setRunning(true);
    setFailure(null);
    try {
      await result;
      onClose();
    } catch (thrown) {
      // The dialog is gone if another page was opened meanwhile.
      if (content.current) setFailure(thrown);
      else notifyError(thrown);
    } finally {
      setRunning(false);
    }
  };
  const sure =
    typed === null ||
    (typeof typed === "number" ? text.replace(/\D/g, "") === String(typed) : text.trim() === typed.trim());
  return (
    <Dialog
      guarded={rest.guarded}
      onClose={onClose}
      title={title}
      closeOnClickOutside={!busy}
      closeOnEscape={!busy}
      withCloseButton={!running}
    >
      <Stack ref={content} gap="xs">
        {children}
      </Stack>
      {typed !== null && (
        <TextInput
          mt="md"
          label={t("typeToBeSure", { what: typeof typed === "number" ? count(typed) : typed })}
          inputMode={typeof typed === "number" ? "numeric" : "text"}
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={({ key }) => key === "Enter" && sure && !disabled && !busy && confirm()}
          data-autofocus
        />
      )}
      {!!error && <Problem>{rejectionOf(error).message}</Problem>}
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={onClose} disabled={busy}>
          {cancel}
        </Button>
        <Button
          color={danger ? "red" : undefined}
          onClick={confirm}
          loading={busy}
          disabled={!sure || disabled}
          data-autofocus={danger ? undefined : true}
        >
          {action}
        </Button>
      </Group>
    </Dialog>
  );
}
