"use client";
import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import { Menu } from "../ui/floating";
import { icons } from "../ui/icons";
import kit from "../ui/kit.module.css";
import { Loaded } from "../ui/list-page";
import { MoreMenu } from "../ui/more-menu";
import { notify, notifyError } from "../ui/notify";
import { onDemand } from "../ui/on-demand";

const FieldForm = onDemand(() => import("./field-form"));

type Field = Outputs["fields"]["list"][number];

/** The newsletter's custom fields, beyond address and name. */
export function Fields() {
  const t = useTranslations("settings.fields");
  const { newsletterId, mayEdit } = useViewer();
  const query = api.fields.list.useQuery({ newsletterId });
  const move = useMove(query.data ?? []);
  const [open, setOpen] = useState<{ form: Field | null } | { deleting: Field } | null>(null);
  const close = () => setOpen(null);
  const define = mayEdit && (
    <Button variant="default" mt="sm" leftSection={<icons.add />} onClick={() => setOpen({ form: null })}>
      {t("define")}
    </Button>
  );
  return (
    <>
      <Loaded
        query={query}
        rows={3}
        empty={query.data?.length === 0 && <p className={kit.quiet}>{t("empty")}</p>}
      >
        {(fields) => (
          <ul className={kit.rows} aria-label={t("list")}>
            {fields.map((field, i) => (
              <FieldRow
                key={field.key}
                field={field}
                isFirst={i === 0}
                isLast={i === fields.length - 1}
                onMove={(by) => move(field, by)}
                onEdit={() => setOpen({ form: field })}
                onDelete={() => setOpen({ deleting: field })}
              />
            ))}
          </ul>
        )}
      </Loaded>
      {query.data && define}
      {open && "form" in open && <FieldForm field={open.form} onClose={close} />}
      {open && "deleting" in open && <DeleteField field={open.deleting} onClose={close} />}
    </>
  );
}

/** Moves a field by one place. A move during another one starts from that one's order. */
function useMove(fields: Field[]) {
  const { newsletterId } = useViewer();
  const cached = api.useUtils().fields.list;
  const order = api.fields.order.useMutation({
    scope: { id: "fields.order" },
    onSuccess: (_, { keys }) =>
      cached.setData({ newsletterId }, (before) =>
        before?.toSorted((a, b) => keys.indexOf(a.key) - keys.indexOf(b.key)),
      ),
    onError: notifyError,
  });
  return ({ key }: Field, by: -1 | 1) => {
    const before = order.isPending ? order.variables.keys : fields.map((field) => field.key);
    const keys = before.filter((other) => other !== key);
    keys.splice(Math.max(0, before.indexOf(key) + by), 0, key);
    order.mutate({ newsletterId, keys });
  };
}

type RowProps = {
  field: Field;
  isFirst: boolean;
  isLast: boolean;
  onMove(by: -1 | 1): void;
  onEdit(): void;
  onDelete(): void;
};

function FieldRow({ field, isFirst, isLast, onMove, onEdit, onDelete }: RowProps) {
  const t = useTranslations("settings.fields");
  const { mayEdit } = useViewer();
  const { key, label, choices, required } = field;
  const type = t(`types.${field.type}`);
  return (
    <li>
      <span className={kit.entry}>
        <b>{label}</b> <code>{key}</code>
        <br />
        {choices.length > 0 ? t("row.typeAndChoices", { type, choices: choices.join(", ") }) : type}
        {required && ` · ${t("row.required")}`}
      </span>
      {mayEdit && (
        <MoreMenu label={label}>
          <Menu.Item onClick={onEdit}>{t("row.edit")}</Menu.Item>
          <Menu.Item disabled={isFirst} onClick={() => onMove(-1)}>
            {t("row.moveUp")}
          </Menu.Item>
          <Menu.Item disabled={isLast} onClick={() => onMove(1)}>
            {t("row.moveDown")}
          </Menu.Item>
          <Menu.Item color="red" onClick={onDelete}>
            {t("row.delete")}
          </Menu.Item>
        </MoreMenu>
      )}
    </li>
  );
}

function DeleteField({ field: { key, label }, onClose }: { field: Field; onClose(): void }) {
  const t = useTranslations("settings.fields.deleting");
  const { newsletterId } = useViewer();
  const remove = api.fields.delete.useMutation();
  // The count is not fetched for a field that is being deleted or is gone.
  const enabled = !remove.isPending && !remove.isSuccess;
  const count = api.fields.people.useQuery({ newsletterId, key }, { enabled });
  return (
    <Confirm
      title={t("title", { label })}
      action={t("action")}
      danger
      disabled={count.isPending}
      error={count.error}
      onConfirm={async () => {
        await remove.mutateAsync({ newsletterId, key });
        notify(t("done", { label }));
      }}
      onClose={onClose}
    >
      <p>
        {count.data === undefined
          ? t("counting")
          : count.data === 0
            ? t("noValues")
            : t("values", { n: count.data })}
      </p>
    </Confirm>
  );
}
