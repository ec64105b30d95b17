"use client";
import { Button, Modal, TextInput } from "@mantine/core";
import { type FormEvent, useRef, useState } from "react";
import { useViewer } from "../shell/viewer";
import { api, messageFor, rejectionOf } from "../trpc";
import { notify } from "../ui/notify";
import styles from "./person.module.css";

type Props = { onClose(): void; onOpen(id: string): void };

/** One person by hand. What is wrong stands at its field; what was typed stays. */
export default function AddPerson({ onClose, onOpen }: Props) {
  const { newsletterId } = useViewer();
  const utils = api.useUtils();
  const add = api.people.add.useMutation();
  const [status, setStatus] = useState<"pending" | "active">("pending");
  const form = useRef<HTMLFormElement>(null);
  const rejection = add.error ? rejectionOf(add.error) : null;

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const more = (event.nativeEvent as SubmitEvent).submitter?.getAttribute("value") === "more";
    try {
      const person = { email: String(data.get("email")), name: String(data.get("name")), status };
      const made = await add.mutateAsync({ newsletterId, person });
      void utils.people.invalidate();
      void utils.newsletters.overview.invalidate();
      notify(
        status === "pending" ? `${made.email} is added and asked to confirm.` : `${made.email} is added.`,
      );
      if (!more) {
        onClose();
        return onOpen(made.id);
      }
      form.current?.reset();
      form.current?.querySelector("input")?.focus();
    } catch {
      form.current?.querySelector<HTMLElement>("[aria-invalid=true], input")?.focus();
    }
  }

  return (
    <Modal opened onClose={onClose} title="Add a person">
      <form ref={form} onSubmit={submit} noValidate className={styles.form}>
        <TextInput
          name="email"
          type="email"
          label="Email"
          autoComplete="off"
          error={messageFor(rejection, "email")}
          data-autofocus
        />
        <TextInput
          name="name"
          label="Name"
          description="May be left empty."
          autoComplete="off"
          error={messageFor(rejection, "name")}
        />
        <fieldset className={styles.choices}>
          <legend>Status</legend>
          <label>
            <input
              type="radio"
              name="status"
              checked={status === "pending"}
              onChange={() => setStatus("pending")}
            />
            <span>
              <b>Pending</b> Gets a mail that asks to confirm.
            </span>
          </label>
          <label>
            <input
              type="radio"
              name="status"
              checked={status === "active"}
              onChange={() => setStatus("active")}
            />
            <span>
              <b>Active</b> On the list at once. Choose this only if they have agreed.
            </span>
          </label>
        </fieldset>
        {rejection && Object.keys(rejection.errors).length === 0 && (
          <p className={styles.wrong} role="alert">
            {rejection.message}
          </p>
        )}
        <div className={styles.acts}>
          <Button variant="default" type="submit" value="more" disabled={add.isPending}>
            Add and next
          </Button>
          <Button type="submit" loading={add.isPending}>
            Add 1 person
          </Button>
        </div>
      </form>
    </Modal>
  );
}
