"use client";
import { PasswordInput, TextInput } from "@mantine/core";
import { RejectedError } from "../ui/error-of";
import { Form, useServerForm } from "../ui/form";
import { Note } from "../ui/note";
import { postAuth } from "./post-auth";

/** Sign-in for staff. */
export function SignInForm({ next }: { next: string }) {
  const form = useServerForm({}, async () => {
    // Read from the page itself: a password manager may have filled it in before React ran.
    const { email, password } = Object.fromEntries(new FormData(form.element.current ?? undefined));
    if (!email || !password) {
      throw new RejectedError({ message: "Type your email and your password.", errors: {}, code: null });
    }
    await postAuth("sign-in/email", { email, password });
    // A whole new page: nothing that was read before belongs to whoever is signed in now.
    window.location.assign(next);
  });
  return (
    <Note title="Sign in to Rollcall" withMark>
      <Form form={form} submit="Sign in">
        <TextInput name="email" type="email" label="Email" autoComplete="username" autoFocus />
        <PasswordInput name="password" label="Password" autoComplete="current-password" />
      </Form>
      <p>No account yet? An owner of it can send you an invitation.</p>
    </Note>
  );
}
