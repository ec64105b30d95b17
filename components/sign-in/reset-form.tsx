"use client";
import { PasswordInput } from "@mantine/core";
import { useState } from "react";
import { api } from "../trpc";
import { Form, useServerForm } from "../ui/form";
import { Note } from "../ui/note";

/** Gives whoever has the link that was mailed another password. */
export function ResetForm({ token, email }: { token: string; email: string }) {
  const [done, setDone] = useState(false);
  const reset = api.own.reset.useMutation();
  const form = useServerForm({ password: "" }, async ({ password }) => {
    await reset.mutateAsync({ token, password });
    setDone(true);
  });
  if (done)
    return (
      <Note title="Password changed">
        <p role="status">You are signed out everywhere. Sign in with the new password.</p>
        <p>
          <a href="/sign-in">Sign in</a>
        </p>
      </Note>
    );
  return (
    <Note title="Choose a new password" withMark>
      <p>
        For <b>{email}</b>. You will be signed out everywhere.
      </p>
      <Form form={form} submit="Change password">
        {/* Tells password managers whose password it is. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          label="New password"
          description="At least 10 characters."
          autoComplete="new-password"
          autoFocus
          {...form.getInputProps("password")}
        />
      </Form>
    </Note>
  );
}
