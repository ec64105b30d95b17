"use client";
import { TextInput } from "@mantine/core";
import { useState } from "react";
import { resetLinkMinutes } from "@/server/contract/spans";
import { api } from "../trpc";
import { Form, useServerForm } from "../ui/form";
import { Note } from "../ui/note";

/** Asks for a mail with which another password can be chosen. It says the same whether or not somebody has that address. */
export function ForgotForm() {
  const [askedFor, setAskedFor] = useState<string | null>(null);
  const forgot = api.own.forgot.useMutation();
  const form = useServerForm({ email: "" }, async ({ email }) => {
    await forgot.mutateAsync({ email });
    setAskedFor(email);
  });
  if (askedFor !== null)
    return (
      <Note title="Check your inbox">
        <p role="status">
          If an account uses <b>{askedFor}</b>, an email with a link is on its way. The link works once, for{" "}
          {resetLinkMinutes} minutes. Check your spam folder, too.
        </p>
        <p>
          <a href="/sign-in">Back to sign-in</a>
        </p>
      </Note>
    );
  return (
    <Note title="Forgot your password?" withMark>
      <p>Enter the address you sign in with. You will receive a link to choose a new password.</p>
      <Form form={form} submit="Email me a link">
        <TextInput
          type="email"
          label="Email"
          autoComplete="username"
          autoFocus
          {...form.getInputProps("email")}
        />
      </Form>
      <p>
        <a href="/sign-in">Back to sign-in</a>
      </p>
    </Note>
  );
}
