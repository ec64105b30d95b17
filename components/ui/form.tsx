"use client";
import { Button } from "@mantine/core";
import { useForm } from "@mantine/form";
import { type ReactNode, useRef, useState } from "react";
import { rejectionOf } from "../trpc";
import styles from "./kit.module.css";

type Sent<Values> = {
  /** The value of the button that was pressed. */
  submitter: string | null;
  /** The values that the form was opened with, or saved last. */
  was: Values;
};

/**
 * A form's values and what the server rejected of them. `save` is called with the values when the form is sent; what
 * it throws stands at the fields it names, anything else below them.
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
    // A message stays until its field is changed.
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
      // After React has marked them.
      setTimeout(() => element.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
    } finally {
      setBusy(false);
    }
  });
  // Mantine's own input for passwords does not say it.
  const getInputProps: typeof form.getInputProps = (path, options) => {
    const props = form.getInputProps(path, options);
    return props.error ? { ...props, "aria-invalid": true } : props;
  };
  return { ...form, getInputProps, element, problem, busy, submit };
}

/** The value of an input that is named by its path, such as "fields.company". */
const inputAt = (values: object, path: string): unknown =>
  path.split(".").reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], values);

type FormProps = {
  form: Pick<ReturnType<typeof useServerForm>, "element" | "problem" | "busy"> & {
    submit(event?: React.FormEvent<HTMLFormElement>): void;
  };
  /** What the button says. */
  submit: ReactNode;
  /** Only the button: what it does is not what the page is for. */
  quiet?: boolean;
  disabled?: boolean;
  /** Other buttons beside it; the button itself is always the outermost. */
  actions?: ReactNode;
  /** Its buttons stand at the right, as in a dialog. */
  atEnd?: boolean;
  /** For those who may only look: fields without buttons, and why. */
  readOnly?: ReactNode;
  className?: string | undefined;
  children: ReactNode;
};

/** Fields, what is wrong with the whole, and the buttons. */
export function Form({
  form,
  submit,
  quiet,
  disabled,
  actions,
  atEnd,
  readOnly,
  className,
  children,
}: FormProps) {
  return (
    // Sent before React runs, what is typed must not stand in the address.
    <form ref={form.element} method="post" onSubmit={form.submit} noValidate className={className}>
      <fieldset className={styles.form} disabled={!!readOnly}>
        {children}
        {form.problem && <Problem>{form.problem}</Problem>}
        {readOnly ? (
          <p className={styles.quiet}>{readOnly}</p>
        ) : (
          <div className={styles.buttons} data-end={atEnd || undefined}>
            {atEnd && actions}
            <Button
              type="submit"
              {...(quiet && { variant: "default" })}
              loading={form.busy}
              disabled={disabled ?? false}
            >
              {submit}
            </Button>
            {!atEnd && actions}
          </div>
        )}
      </fieldset>
    </form>
  );
}

/** Why something was not done; read out at once. */
export function Problem({ children }: { children: ReactNode }) {
  return (
    <p className={styles.problem} role="alert">
      {children}
    </p>
  );
}
