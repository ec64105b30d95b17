"use client";
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useRouter } from "next/navigation";
import type { FormEvent } from "react";
import { useViewer } from "../shell/viewer";
import { api, messageFor, type Outputs, rejectionOf } from "../trpc";
import { notify } from "../ui/notify";
import styles from "./settings.module.css";

const languages = [
  { value: "en", label: "English" },
  { value: "de", label: "Deutsch" },
  { value: "fr", label: "Français" },
  { value: "es", label: "Español" },
] as const;

const zones = () => ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];

export function NewsletterForm({ settings }: { settings: Outputs["newsletters"]["settings"] }) {
  const { newsletterId, isOwner } = useViewer();
  const router = useRouter();
  const utils = api.useUtils();
  const save = api.newsletters.save.useMutation({
    onSuccess: () => {
      notify("Saved. Mails already written keep what they say.");
      void utils.newsletters.invalidate();
      // The frame knows the newsletter's name from the server.
      router.refresh();
    },
  });
  const rejection = save.error ? rejectionOf(save.error) : null;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const text = (name: string) => String(data.get(name) ?? "").trim();
    save.mutate({
      newsletterId,
      settings: {
        name: text("name"),
        sender: text("sender") || null,
        replyTo: text("replyTo") || null,
        language: text("language") as (typeof languages)[number]["value"],
        timeZone: text("timeZone"),
      },
    });
  };
  return (
    <form onSubmit={submit} noValidate>
      <fieldset className={styles.form} disabled={!isOwner}>
        <TextInput
          name="name"
          label="Name"
          defaultValue={settings.name}
          error={messageFor(rejection, "name")}
        />
        <TextInput
          name="sender"
          label="Sender"
          description={`Of a domain verified at Resend. Empty: ${settings.mailFrom ?? "what MAIL_FROM says"}.`}
          placeholder="Weekly <hello@example.org>"
          defaultValue={settings.sender ?? ""}
          error={messageFor(rejection, "sender")}
        />
        <TextInput
          name="replyTo"
          type="email"
          label="Replies go to"
          description="Empty: to the sender."
          defaultValue={settings.replyTo ?? ""}
          error={messageFor(rejection, "replyTo")}
        />
        <div className={styles.pair}>
          <NativeSelect
            name="language"
            label="Language"
            description="Of mails and public pages."
            data={[...languages]}
            defaultValue={settings.language}
            error={messageFor(rejection, "language")}
          />
          <TextInput
            name="timeZone"
            label="Time zone"
            description="Its days are counted in it."
            list="zones"
            defaultValue={settings.timeZone}
            error={messageFor(rejection, "timeZone")}
          />
          <datalist id="zones">
            {zones().map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
        </div>
        {rejection && Object.keys(rejection.errors).length === 0 && (
          <p className={styles.wrong} role="alert">
            {rejection.message}
          </p>
        )}
        {isOwner ? (
          <div>
            <Button type="submit" loading={save.isPending}>
              Save
            </Button>
          </div>
        ) : (
          <p className={styles.quiet}>Only owners change these.</p>
        )}
      </fieldset>
    </form>
  );
}
