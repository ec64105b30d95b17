"use client";
import { Button, Menu } from "@mantine/core";
import { useState } from "react";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import { icons } from "../ui/icons";
import kit from "../ui/kit.module.css";
import { Loaded } from "../ui/list-page";
import { MoreMenu } from "../ui/more-menu";
import { notify } from "../ui/notify";
import { people } from "../ui/numbers";
import { shownAtOnce } from "../ui/shown-at-once";
import { FieldForm, fieldTypeWords } from "./field-form";

type Field = Outputs["fields"]["list"][number];

/** What the newsletter knows of its people beyond address and name. */
export function Fields() {
  const { newsletterId, mayEdit } = useViewer();
  const query = api.fields.list.useQuery({ newsletterId });
  const [open, setOpen] = useState<{ form: Field | null } | { deleting: Field } | null>(null);
  const close = () => setOpen(null);
  const define = mayEdit && (
    <Button variant="default" mt="sm" leftSection={<icons.add />} onClick={() => setOpen({ form: null })}>
      Define a field
    </Button>
  );
  return (
    <>
      <Loaded query={query} rows={3}>
        {(fields) =>
          fields.length === 0 ? (
            <p className={kit.quiet}>
              No fields yet. A field stores more about people than their address and name, such as a company,
              birthday or plan. You can fill fields on the dashboard, by imports, sign-up pages and the API,
              and filter by them.
            </p>
          ) : (
            <ul className={kit.rows} aria-label="Fields">
              {fields.map((field, i) => (
                <FieldRow
                  key={field.key}
                  field={field}
                  fields={fields}
                  at={i}
                  onEdit={() => setOpen({ form: field })}
                  onDelete={() => setOpen({ deleting: field })}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      {query.data && define}
      {open && "form" in open && <FieldForm field={open.form} onClose={close} />}
      {open && "deleting" in open && <DeleteField field={open.deleting} onClose={close} />}
    </>
  );
}

type RowProps = { field: Field; fields: Field[]; at: number; onEdit(): void; onDelete(): void };

function FieldRow({ field, fields, at, onEdit, onDelete }: RowProps) {
  const { newsletterId, mayEdit } = useViewer();
  const cached = api.useUtils().fields.list;
  const order = api.fields.order.useMutation(
    shownAtOnce(
      {
        cancel: () => cached.cancel({ newsletterId }),
        get: () => cached.getData({ newsletterId }),
        set: (data) => cached.setData({ newsletterId }, data),
      },
      (before, { keys }: { keys: string[] }) =>
        before.toSorted((a, b) => keys.indexOf(a.key) - keys.indexOf(b.key)),
    ),
  );
  const { key, label, type, choices, required } = field;
  const move = (by: -1 | 1) => {
    const keys = fields.map((one) => one.key);
    keys.splice(at, 1);
    keys.splice(at + by, 0, key);
    order.mutate({ newsletterId, keys });
  };
  return (
    <li>
      <span className={kit.entry}>
        <b>{label}</b> <code>{key}</code>
        <br />
        {fieldTypeWords[type]}
        {choices.length > 0 && `: ${choices.join(", ")}`}
        {required && " · required on the sign-up page"}
      </span>
      {mayEdit && (
        <MoreMenu label={label}>
          <Menu.Item onClick={onEdit}>Edit</Menu.Item>
          <Menu.Item disabled={at === 0} onClick={() => move(-1)}>
            Move up
          </Menu.Item>
          <Menu.Item disabled={at === fields.length - 1} onClick={() => move(1)}>
            Move down
          </Menu.Item>
          <Menu.Item color="red" onClick={onDelete}>
            Delete …
          </Menu.Item>
        </MoreMenu>
      )}
    </li>
  );
}

function DeleteField({ field: { key, label }, onClose }: { field: Field; onClose(): void }) {
  const { newsletterId } = useViewer();
  const remove = api.fields.delete.useMutation({
    onSuccess() {
      notify(`Field ${label} deleted.`);
      onClose();
    },
  });
  // Not asked again of a field that is being deleted, nor of one that is gone.
  const enabled = !remove.isPending && !remove.isSuccess;
  const count = api.fields.people.useQuery({ newsletterId, key }, { enabled });
  return (
    <Confirm
      title={`Delete the field ${label}?`}
      action="Delete 1 field"
      danger
      busy={remove.isPending}
      disabled={count.isPending}
      error={remove.error ?? count.error}
      onConfirm={() => remove.mutate({ newsletterId, key })}
      onClose={onClose}
    >
      <p>
        {count.data === undefined
          ? "Counting the people with a value …"
          : count.data === 0
            ? "No subscriber has a value for it."
            : `${people(count.data)} ${count.data === 1 ? "has" : "have"} a value for it. These values are deleted, too. This cannot be undone.`}
      </p>
    </Confirm>
  );
}
