import { Button, Group } from "@mantine/core";
import { useForm } from "@mantine/form";
import { type ReactNode, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { rejectionOf } from "../trpc";
import { Theirs } from "./conflict";
import { Dialog } from "./dialog";
import styles from "./kit.module.css";
import { notify } from "./notify";
import { Problem } from "./states";
import { leave, useUnsaved } from "./unsaved";

type Sent<Values> = {
  /** The value of the button that was pressed. */
  submitter: string | null;
  /** The values at opening or at the last save. They prevent overwriting another person's edit. */
  was: Values;
};

/**
 * A form's values and the server's rejections. A submit calls `save` with the values. Its rejections appear at the
 * fields that they name, or else below the form.
 */
export function useServerForm<Values extends Record<string, unknown>>(
  initialValues: Values,
  save: (values: Values, sent: Sent<Values>) => Promise<unknown>,
) {
  const was = useRef(initialValues);
  const element = useRef<HTMLFormElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const form = useForm<Values>({
    initialValues,
    // A message disappears when its field changes.
    clearInputErrorOnChange: true,
    onValuesChange: () => setProblem(null),
  });
  const submit = form.onSubmit(async (values, event) => {
    const submitter =
      (event?.nativeEvent as SubmitEvent | undefined)?.submitter?.getAttribute("value") ?? null;
    setBusy(true);
    setProblem(null);
    form.clearErrors();
    try {
      await save(values, { submitter, was: was.current });
      was.current = values;
    } catch (error) {
      const { errors, message } = rejectionOf(error);
      const isInput = (field: string) => field in values || inputAt(values, field) !== undefined;
      const known = Object.entries(errors).filter(([field]) => isInput(field));
      form.setErrors(Object.fromEntries(known.map(([field, [first]]) => [field, first])));
      const other = Object.entries(errors).find(([field]) => !isInput(field))?.[1][0];
      if (known.length === 0 || other) setProblem(other ?? message);
      // The timeout waits until React marks the invalid inputs.
      setTimeout(() => element.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
    } finally {
      setBusy(false);
    }
  });
  // Mantine's PasswordInput doesn't set `aria-invalid`.
  const getInputProps: typeof form.getInputProps = (path, options) => {
    const props = form.getInputProps(path, options);
    return props.error ? { ...props, "aria-invalid": true } : props;
  };
  type Path = Parameters<typeof getInputProps>[0];
  /** The props of an input with its label and its hint. */
  const input = (path: Path, label: ReactNode, description?: ReactNode) => ({
    label,
    description,
    ...getInputProps(path),
  });
  const checkbox = (path: Path, label: ReactNode, description?: ReactNode) => ({
    label,
    description,
    ...getInputProps(path, { type: "checkbox" }),
  });
  return { ...form, getInputProps, input, checkbox, element, problem, busy, submit };
}

/** Returns the value at an input's path, such as "fields.company". */
const inputAt = (values: object, path: string): unknown =>
  path.split(".").reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], values);

type FormProps = {
  form: Pick<ReturnType<typeof useServerForm>, "element" | "problem" | "busy"> & {
    submit(event?: React.FormEvent<HTMLFormElement>): void;
  };
  /** The submit button's text, by default "Save". */
  submit?: ReactNode;
  /** A less prominent submit button, for a secondary action of the page. */
  quiet?: boolean;
  disabled?: boolean;
  /** Other buttons beside the submit button, which is always outermost. */
  actions?: ReactNode;
  /** Adds a cancel button. */
  onCancel?(): void;
  /** Aligns the buttons to the right, as in a dialog. */
  atEnd?: boolean;
  /** For staff with read-only access: shows the fields without buttons, and this reason. */
  readOnly?: ReactNode;
  /** Another person's version, after a conflict. The buttons then keep one of the two versions. */
  theirs?: ReactNode;
  hidden?: boolean;
  className?: string;
  children: ReactNode;
};

/** Renders the fields, the form's error and the buttons. */
export function Form({
  form,
  submit,
  quiet,
  disabled,
  actions,
  onCancel,
  atEnd,
  readOnly,
  theirs,
  hidden,
  className,
  children,
}: FormProps) {
  const t = useTranslations("ui");
  return (
    // POST keeps typed values out of the address if the form is submitted before React runs.
    <form
      ref={form.element}
      method="post"
      onSubmit={form.submit}
      noValidate
      hidden={hidden}
      className={className}
    >
      <fieldset className={styles.form} disabled={!!readOnly}>
        {children}
        {form.problem && <Problem>{form.problem}</Problem>}
        {theirs && <Theirs>{theirs}</Theirs>}
        {readOnly ? (
          <p className={styles.quiet}>{readOnly}</p>
        ) : (
          <Group gap="xs" {...(atEnd && { justify: "flex-end", mt: 4 })}>
            {onCancel && (
              <Button variant="default" onClick={onCancel}>
                {theirs ? t("conflict.keepTheirs") : t("confirm.cancel")}
              </Button>
            )}
            {atEnd && actions}
            <Button
              type="submit"
              variant={quiet ? "default" : "filled"}
              loading={form.busy}
              disabled={disabled}
            >
              {theirs ? t("conflict.saveMine") : (submit ?? t("form.save"))}
            </Button>
            {!atEnd && actions}
          </Group>
        )}
      </fieldset>
    </form>
  );
}

/**
 * A form for saved settings. Leaving the page with unsaved changes asks first. What is typed during a save stays, unsaved.
 * @param save stores the values; returns the notification's text
 * @param secrets fields that a save empties, because their values are never shown again
 */
export function useSettingsForm<Values extends Record<string, unknown>>(
  initial: Values,
  save: (values: Values, sent: Sent<Values>) => Promise<string>,
  secrets: readonly (keyof Values)[] = [],
) {
  const form = useServerForm(initial, async (values, sent) => {
    const message = await save(values, sent);
    const emptied = Object.fromEntries(
      secrets.filter((name) => form.getValues()[name] === values[name]).map((name) => [name, ""]),
    ) as Partial<Values>;
    if (secrets.length > 0) form.setValues(emptied);
    form.resetDirty({ ...values, ...emptied });
    notify(message);
  });
  useUnsaved(form.isDirty());
  return form;
}

type EditProps = FormProps & { form: { isDirty(): boolean } };

/** Renders the fields and a save button, which is enabled by a change. */
export function SettingsForm(props: Omit<EditProps, "disabled">) {
  return <Form disabled={!props.form.isDirty()} {...props} />;
}

type DialogProps = EditProps & {
  title: string;
  size?: string;
  /** The form requires a recent sign-in. */
  guarded?: boolean;
  onClose(): void;
};

/** A form in a dialog. Esc asks before it discards typed text. */
export function FormDialog({ title, size, guarded, onClose, ...props }: DialogProps) {
  useUnsaved(props.form.isDirty());
  return (
    <Dialog onClose={() => leave(onClose)} title={title} guarded={guarded} size={size}>
      <Form atEnd {...props} />
    </Dialog>
  );
}
