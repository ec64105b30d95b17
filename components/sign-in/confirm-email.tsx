"use client";
import { useState } from "react";
import { api } from "../trpc";
import { Form, useServerForm } from "../ui/form";
import { Note } from "../ui/note";

/** Makes the address that the link was mailed to the one that signs in. */
export function ConfirmEmail({ token, email }: { token: string; email: string }) {
  const [done, setDone] = useState(false);
  const confirm = api.own.confirmEmail.useMutation();
  const form = useServerForm({}, async () => {
    await confirm.mutateAsync({ token });
    setDone(true);
  });
  if (done)
    return (
      <Note title="Address changed">
        <p role="status">
          You sign in as <b>{email}</b> from now on, with the same password.
        </p>
        <p>
          <a href="/">Open Rollcall</a>
        </p>
      </Note>
    );
  return (
    <Note title="Confirm your address" withMark>
      <p>
        You will sign in as <b>{email}</b>. Your old address receives a notice by email.
      </p>
      <Form form={form} submit="Use this address">
        {null}
      </Form>
    </Note>
  );
}
