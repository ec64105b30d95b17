"use client";
import { Switch, TextInput } from "@mantine/core";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { emailLinkMinutes } from "@/server/contract/spans";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { Form, useServerForm } from "../ui/form";
import kit from "../ui/kit.module.css";
import { notify } from "../ui/notify";
import { shownAtOnce } from "../ui/shown-at-once";
import { LanguageChoice } from "./language-choice";

/** One's own name, and the address that one signs in with. */
export function OwnAccount() {
  const { sends, staff } = useViewer();
  return (
    <>
      <NameForm />
      <LanguageChoice />
      <h2>Email</h2>
      {sends ? (
        <EmailForm />
      ) : (
        <p className={kit.quiet}>
          You sign in as {staff.email}. Email is not set up, so you can’t confirm another address.
        </p>
      )}
      <h2>Weekly digest</h2>
      <Digest />
    </>
  );
}

/** Whether one is mailed what happened in the week. */
function Digest() {
  const { sends } = useViewer();
  const query = api.own.digest.useQuery();
  const cached = api.useUtils().own.digest;
  const set = api.own.setDigest.useMutation(
    shownAtOnce(
      {
        cancel: () => cached.cancel(),
        get: () => cached.getData(),
        set: (data) => cached.setData(undefined, data),
      },
      (_before, { weekly }: { weekly: boolean }) => ({ weekly }),
    ),
  );
  const weekly = query.data?.weekly;
  return (
    <Switch
      label="Email it to me on Mondays"
      description={
        sends
          ? "New, confirmed and lost subscribers, and emails that did not arrive."
          : "It starts once email is set up."
      }
      checked={weekly ?? false}
      disabled={weekly === undefined}
      onChange={(event) => set.mutate({ weekly: event.currentTarget.checked })}
    />
  );
}

function NameForm() {
  const { staff } = useViewer();
  const router = useRouter();
  const rename = api.own.rename.useMutation();
  const form = useServerForm({ name: staff.name }, async ({ name }) => {
    await rename.mutateAsync({ name });
    // The shell around this page has the name from the server, too.
    router.refresh();
    notify("Name changed.");
  });
  return (
    <Form form={form} submit="Change name" quiet>
      <TextInput label="Your name" autoComplete="name" {...form.getInputProps("name")} />
    </Form>
  );
}

function EmailForm() {
  const { staff } = useViewer();
  const [askedFor, setAskedFor] = useState<string | null>(null);
  const change = api.own.changeEmail.useMutation();
  const form = useServerForm({ email: "" }, async ({ email }) => {
    await change.mutateAsync({ email });
    setAskedFor(email);
    form.reset();
  });
  return (
    <>
      <Form form={form} submit="Change address" quiet>
        <TextInput
          type="email"
          label="New address"
          description={`You sign in as ${staff.email} until you confirm the link sent to the new address.`}
          autoComplete="email"
          {...form.getInputProps("email")}
        />
      </Form>
      {askedFor && (
        <p role="status" className={kit.quiet}>
          We sent a link to {askedFor}. It works for {emailLinkMinutes} minutes. Your address changes when you
          confirm it.
        </p>
      )}
    </>
  );
}
