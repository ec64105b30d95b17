"use client";
import { Button, NativeSelect, TextInput } from "@mantine/core";
import type { FormEvent } from "react";
import { useViewer } from "../shell/viewer";
import { api, messageFor, type Outputs, rejectionOf } from "../trpc";
import { notify } from "../ui/notify";
import styles from "./person.module.css";

type Person = Outputs["people"]["get"]["person"];

/** Changes a person; who was changed meanwhile by somebody else is left alone, and it says so. */
export function PersonForm({ person, onClose }: { person: Person; onClose(): void }) {
  const { newsletterId } = useViewer();
  const utils = api.useUtils();
  const change = api.people.change.useMutation();
  const rejection = change.error ? rejectionOf(change.error) : null;
  const clash = messageFor(rejection, "version");

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const [email, name, status] = [
      String(data.get("email")),
      String(data.get("name")),
      String(data.get("status")),
    ];
    const patch = {
      ...(email !== person.email && { email }),
      ...(name !== person.name && { name }),
      ...(status !== person.status && { status: status as "active" | "pending" }),
    };
    if (Object.keys(patch).length === 0) return onClose();
    try {
      await change.mutateAsync({ newsletterId, id: person.id, version: person.version, patch });
      await utils.people.invalidate();
      notify("Saved.");
      onClose();
    } catch {
      // What it says stands at the fields.
    }
  }

  async function reload() {
    await utils.people.get.invalidate({ newsletterId, id: person.id });
    onClose();
  }

  // Nobody makes a person active who left: only their own yes does.
  const statuses =
    person.status === "unsubscribed"
      ? [
          { value: "unsubscribed", label: "Unsubscribed" },
          { value: "pending", label: "Pending: ask them by mail" },
        ]
      : [
          { value: "active", label: "Active" },
          { value: "pending", label: "Pending: ask them by mail" },
        ];

  return (
    <form className={styles.form} onSubmit={submit} noValidate style={{ marginTop: 20 }}>
      <TextInput
        name="email"
        type="email"
        label="Email"
        defaultValue={person.email}
        error={messageFor(rejection, "email")}
        autoFocus
      />
      <TextInput name="name" label="Name" defaultValue={person.name} error={messageFor(rejection, "name")} />
      <NativeSelect
        name="status"
        label="Status"
        defaultValue={person.status}
        data={statuses}
        error={messageFor(rejection, "status")}
      />
      {clash && (
        <p className={styles.wrong} role="alert">
          {clash}{" "}
          <button type="button" onClick={reload}>
            Show it
          </button>
        </p>
      )}
      {rejection && Object.keys(rejection.errors).length === 0 && (
        <p className={styles.wrong} role="alert">
          {rejection.message}
        </p>
      )}
      <div className={styles.acts}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={change.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}
