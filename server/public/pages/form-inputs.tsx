import type { InputHTMLAttributes, ReactNode } from "react";
import { longestAddress } from "../../kernel/email";
import { longestName } from "../../kernel/name";
import { fieldInput, signUpInputs } from "../../sign-up/schema/sign-up-page";
import type { SignUpField } from "../../sign-up/sign-up-page";
import { longestFieldText } from "../../subscribers/field-values";
import type { Messages } from "./messages";
import type { SignUpErrors, Typed } from "./sign-up-input";

type InputProps = {
  name: string;
  label: string;
  required: boolean;
  /** The word behind the label of an optional input. */
  optional?: string;
  error: string | undefined;
  /** Shown below the input while it has no error. */
  hint?: string | undefined;
  /** The input that the page focuses. */
  hasFocus: boolean;
};

/** The properties that every input of the form shares. */
const inputProps = ({ name, required, error, hint, hasFocus }: InputProps) => ({
  id: name,
  name,
  "aria-required": required || undefined,
  "aria-invalid": error !== undefined || undefined,
  "aria-describedby": error ? `${name}-wrong` : hint ? `${name}-hint` : undefined,
  autoFocus: hasFocus,
});

function Labelled({
  input,
  isTick = false,
  children,
}: {
  input: InputProps;
  isTick?: boolean;
  children: ReactNode;
}) {
  const { name, label, required, optional, error, hint } = input;
  const words = (
    <label htmlFor={name}>
      <bdi>{label}</bdi>
      {!required && !isTick && <span className="optional"> ({optional})</span>}
    </label>
  );
  return (
    <div className={isTick ? "field tick" : "field"}>
      {!isTick && words}
      {children}
      {isTick && words}
      {error && (
        <p className="wrong" id={`${name}-wrong`}>
          {error}
        </p>
      )}
      {hint && !error && (
        <p className="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

type TextLineProps = { input: InputProps } & InputHTMLAttributes<HTMLInputElement>;

export function TextLine({ input, ...attributes }: TextLineProps) {
  return (
    <Labelled input={input}>
      <input {...inputProps(input)} {...attributes} />
    </Labelled>
  );
}

function FieldLine({ field, input, value }: { field: SignUpField; input: InputProps; value: string }) {
  const { type, choices } = field;
  const common = inputProps(input);
  if (type === "boolean")
    return (
      <Labelled input={input} isTick>
        <input {...common} type="checkbox" value="true" defaultChecked={value === "true"} />
      </Labelled>
    );
  if (type === "choice")
    return (
      <Labelled input={input}>
        <select {...common} defaultValue={value}>
          <option value="" />
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      </Labelled>
    );
  return (
    <TextLine
      input={input}
      type={type === "date" ? "date" : "text"}
      inputMode={type === "number" ? "decimal" : undefined}
      maxLength={type === "text" ? longestFieldText : undefined}
      dir="auto"
      autoComplete="off"
      defaultValue={value}
    />
  );
}

type PublicFormProps = { messages: Messages; typed?: Typed | undefined; errors?: SignUpErrors | undefined };

/** Makes input properties by name. The first wrong input has the focus. */
function propsFor({ messages, errors = {} }: PublicFormProps) {
  const firstWrong = Object.keys(errors)[0];
  const { optional, errors: texts } = messages.signUp;
  return (name: string, label: string, required: boolean): InputProps => ({
    ...{ name, label, required, optional },
    error: errors[name] && texts[errors[name]],
    hasFocus: name === firstWrong,
  });
}

/** The input for an email address. */
export function EmailInput({ label, ...form }: PublicFormProps & { label: string }) {
  const input = propsFor(form)(signUpInputs.email, label, true);
  return (
    <TextLine
      input={input}
      type="email"
      autoComplete="email"
      maxLength={longestAddress}
      defaultValue={form.typed?.[input.name]}
    />
  );
}

/** The inputs for the person's name, if requested, and for the newsletter's fields. */
export function DetailInputs({
  asksName,
  fields,
  ...form
}: PublicFormProps & { asksName: boolean; fields: SignUpField[] }) {
  const { messages, typed = {} } = form;
  const propsOf = propsFor(form);
  const name = propsOf(signUpInputs.name, messages.signUp.name, false);
  return (
    <>
      {asksName && (
        <TextLine
          input={name}
          type="text"
          autoComplete="name"
          maxLength={longestName}
          dir="auto"
          defaultValue={typed[name.name]}
        />
      )}
      {fields.map((field) => {
        const id = fieldInput(field.key);
        const input = propsOf(id, field.label, field.required);
        return <FieldLine key={id} field={field} input={input} value={typed[id] ?? ""} />;
      })}
    </>
  );
}
