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
      <Note title="Look into your mailbox">
        <p role="status">
          If somebody signs in as <b>{askedFor}</b>, a mail is on its way there. Its link works once, for{" "}
          {resetLinkMinutes} minutes. Look among junk, too.
        </p>
        <p>
          <a href="/sign-in">Back to sign-in</a>
        </p>
      </Note>
    );
  return (
    <Note title="Forgot your password?" withMark>
      <p>Type the address you sign in with. A link to choose another password is mailed to it.</p>
      <Form form={form} submit="Mail me a link">
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
