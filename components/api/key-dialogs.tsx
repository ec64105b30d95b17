"use client";
import { Button, Checkbox, Modal, NativeSelect, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useViewer } from "../shell/viewer";
import { api, messageFor, rejectionOf } from "../trpc";
import { Code } from "../ui/copy";
import { curlFor } from "./curl";
import styles from "./keys.module.css";

const lives = [
  { value: "", label: "Never" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
];

/** Name, permissions, expiry. */
export function NewKeyDialog({ onClose, onMade }: { onClose(): void; onMade(secret: string): void }) {
  const { newsletterId } = useViewer();
  const utils = api.useUtils();
  const create = api.keys.create.useMutation({
    onSuccess: ({ secret }) => {
      void utils.keys.invalidate();
      onMade(secret);
    },
  });
  const [may, setMay] = useState({ read: true, write: true });
  const rejection = create.error ? rejectionOf(create.error) : null;

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const days = String(data.get("life"));
    const permissions = [
      ...(may.read ? (["subscribers:read"] as const) : []),
      ...(may.write ? (["subscribers:write"] as const) : []),
    ];
    create.mutate({
      newsletterId,
      key: { name: String(data.get("name")), permissions, expiresInDays: days ? Number(days) : null },
    });
  };

  return (
    <Modal opened onClose={onClose} title="New key">
      <form onSubmit={submit} noValidate className={styles.form}>
        <TextInput
          name="name"
          label="Name"
          description="What calls with it, such as Shop or Website."
          error={messageFor(rejection, "name")}
          data-autofocus
        />
        <Checkbox.Group
          label="It may"
          error={messageFor(rejection, "permissions")}
          value={Object.keys(may).filter((one) => may[one as "read"])}
        >
          <div className={styles.may}>
            <Checkbox
              size="xs"
              value="read"
              label="read people"
              checked={may.read}
              onChange={() => setMay({ ...may, read: !may.read })}
            />
            <Checkbox
              size="xs"
              value="write"
              label="add and change people"
              checked={may.write}
              onChange={() => setMay({ ...may, write: !may.write })}
            />
          </div>
        </Checkbox.Group>
        <NativeSelect
          name="life"
          label="Expires"
          data={lives}
          error={messageFor(rejection, "expiresInDays")}
        />
        {rejection && Object.keys(rejection.errors).length === 0 && (
          <p className={styles.wrong} role="alert">
            {rejection.message}
          </p>
        )}
        <div className={styles.acts}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Make key
          </Button>
        </div>
      </form>
    </Modal>
  );
}

/** The only time the secret is seen: it does not close by accident. */
export function KeyMade({ secret, onClose }: { secret: string; onClose(): void }) {
  const { appUrl } = useViewer();
  return (
    <Modal
      opened
      onClose={onClose}
      title="The key is made"
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <div className={styles.form}>
        <p>It is shown only this once, since only its digest is kept. Copy it to where you keep secrets.</p>
        <Code label="The key">{secret}</Code>
        <h2>Add a person with it</h2>
        <Code label="A call with curl">{curlFor(appUrl, secret)}</Code>
        <div className={styles.acts}>
          <Button onClick={onClose}>I have copied it</Button>
        </div>
      </div>
    </Modal>
  );
}
