import type { ReactNode } from "react";
import { TextLine } from "./form-inputs";
import type { Messages } from "./messages";
import type { PageAnswer } from "./page";

type StaffInput = {
  name: string;
  label: string;
  type?: "text" | "email" | "password";
  autoComplete: string;
  hint?: string | undefined;
  inputMode?: "numeric";
  /** The typed text. A form never sends a password back. */
  value?: string | undefined;
};

/** The parts of a rejected form that its page shows again. */
export type FormRejection = {
  status: number;
  /** Messages by input, and others, which appear above the form. */
  errors?: Record<string, string[]> | undefined;
  /** Why the form was rejected, where no single input is the reason. */
  problem?: string | undefined;
  headers?: Record<string, string>;
};

type StaffForm = Pick<FormRejection, "errors" | "problem"> & {
  messages: Messages;
  inputs: readonly StaffInput[];
  submit: string;
  /** The account's address, for password managers. The form has no visible input for it. */
  username?: string;
};

/** The message above a form. A focused input refers to it. */
const PROBLEM = "problem";

/**
 * A form of the pages for staff who are not signed in. It posts to its own URL. `noValidate` leaves validation to the
 * server, so that messages have one wording. The first wrong or empty input has the focus.
 */
export function StaffForm({ messages, inputs, errors = {}, problem, submit, username }: StaffForm) {
  const isKnown = (name: string) => inputs.some((input) => input.name === name);
  const others = Object.entries(errors).flatMap(([name, texts]) => (isKnown(name) ? [] : texts));
  const summary = [...(problem ? [problem] : []), ...others].join(" ");
  const focused = inputs.find(({ name }) => errors[name]) ?? inputs.find(({ value }) => !value) ?? inputs[0];
  return (
    <>
      {summary && (
        <p className="notice failed" role="alert" id={PROBLEM}>
          {summary}
        </p>
      )}
      <form method="post" noValidate data-show={messages.staff.show} data-hide={messages.staff.hide}>
        {username && (
          <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        )}
        {inputs.map((input) => {
          const { name, label, hint, type = "text", autoComplete, inputMode, value } = input;
          const error = errors[name]?.join(" ");
          const hasFocus = input === focused;
          return (
            <TextLine
              key={name}
              input={{ name, label, hint, required: true, error, hasFocus }}
              type={type}
              autoComplete={autoComplete}
              inputMode={inputMode}
              defaultValue={type === "password" ? "" : value}
              {...(summary && hasFocus && !error && { "aria-describedby": PROBLEM })}
            />
          );
        })}
        <button type="submit" className="main">
          {submit}
        </button>
      </form>
    </>
  );
}

/** The links below a form. */
export const Ending = ({ children }: { children: ReactNode }) => <div className="ending">{children}</div>;

type StaffPage = {
  title: string;
  body: ReactNode;
  status?: number | undefined;
  headers?: Record<string, string> | undefined;
  /** Only the form of this page may be sent, so the browser has to name the Origin. */
  needsOrigin?: boolean | undefined;
};

/** Returns a page for staff who are not signed in. */
export function staffPage(messages: Messages, page: StaffPage): PageAnswer {
  const { title, body, status = 200, headers, needsOrigin } = page;
  return {
    status,
    page: { lang: messages.lang, title, heading: title, body, shape: "staff", hasStaffScript: true },
    headers: {
      "Cross-Origin-Opener-Policy": "same-origin",
      // With no-referrer, browsers send the Origin of a form as "null".
      ...(needsOrigin && { "Referrer-Policy": "same-origin" }),
      ...headers,
    },
  };
}

type FormPage = Omit<StaffForm, "messages" | "errors" | "problem"> & {
  title: string;
  lead?: ReactNode;
  rejection?: Partial<FormRejection> | undefined;
  /** The part below the form. */
  ending?: ReactNode;
  needsOrigin?: boolean;
};

/** Returns a page with one form, and with the reasons if the form was rejected. */
export function formPage(messages: Messages, page: FormPage): PageAnswer {
  const { title, lead, rejection = {}, ending, needsOrigin, ...form } = page;
  const { errors, problem, status, headers } = rejection;
  const body = (
    <>
      {lead && <p className="lead">{lead}</p>}
      <StaffForm messages={messages} errors={errors} problem={problem} {...form} />
      {ending && <Ending>{ending}</Ending>}
    </>
  );
  return staffPage(messages, { title, body, status, headers, needsOrigin });
}
