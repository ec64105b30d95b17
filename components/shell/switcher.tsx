"use client";
import { Button, Menu, Modal, TextInput } from "@mantine/core";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { type FormEvent, useState } from "react";
import { api, messageFor, rejectionOf } from "../trpc";
import { icons, Mark } from "../ui/icons";
import styles from "./shell.module.css";
import { useViewer } from "./viewer";

/** Which newsletter; the page stays the same, the path says which. */
export function Switcher() {
  const { newsletter, newsletters, account, isOwner } = useViewer();
  const pathname = usePathname();
  const [making, setMaking] = useState(false);
  // An id further down belongs to the old newsletter alone.
  const rest = pathname.split("/").slice(3, 4).join("/");
  return (
    <>
      <Menu position="bottom-start" width={232}>
        <Menu.Target>
          <button type="button" className={styles.switcher}>
            <Mark size={18} />
            <span className={styles.switcherName}>{newsletter.name}</span>
            <icons.down />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{account.name}</Menu.Label>
          {newsletters.map(({ id, name }) => (
            <Menu.Item
              key={id}
              component={Link}
              href={`/n/${id}${rest ? `/${rest}` : ""}`}
              rightSection={id === newsletter.id ? <icons.check /> : null}
              aria-current={id === newsletter.id ? "true" : undefined}
            >
              {name}
            </Menu.Item>
          ))}
          {isOwner && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<icons.add />} onClick={() => setMaking(true)}>
                New newsletter
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={making} onClose={() => setMaking(false)} title="New newsletter">
        <NewNewsletter />
      </Modal>
    </>
  );
}

function NewNewsletter() {
  const create = api.newsletters.create.useMutation({
    // The whole frame knows the newsletters by name: begin anew in this one.
    onSuccess: ({ id }) => window.location.assign(`/n/${id}`),
  });
  const rejection = create.error ? rejectionOf(create.error) : null;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    create.mutate({ name: String(new FormData(event.currentTarget).get("name")) });
  };
  return (
    <form onSubmit={submit} noValidate>
      <TextInput
        name="name"
        label="Name"
        description="Your readers see it in the mail that asks them to confirm."
        error={messageFor(rejection, "name") ?? rejection?.message}
        data-autofocus
      />
      <Button type="submit" mt="md" loading={create.isPending || create.isSuccess}>
        Create newsletter
      </Button>
    </form>
  );
}
