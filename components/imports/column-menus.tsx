import { Group, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { guessFieldType, roleOfField } from "@/server/imports/list-parser/attribute-cells";
import { type ColumnRole, columnRoles, type ListField } from "@/server/imports/list-parser/list-types";
import FieldForm from "../settings/field-form";
import { Menu } from "../ui/floating";
import { icons } from "../ui/icons";
import { LinkButton } from "../ui/link-button";
import styles from "./form.module.css";
import { columnTitle, labelOfColumn } from "./list-names";
import { withRole } from "./reading/column-roles";
import type { Reading } from "./reading/list-reading";
import type { ReadList } from "./use-list";

const ignoredAtFirst = 6;

type Column = Reading["columns"][number] & { index: number };

/** Lists the table's columns. A menu corrects each column's meaning. Ignored columns are named. */
export function ColumnMenus({ list: { reading, override, session } }: { list: ReadList }) {
  const t = useTranslations("imports");
  const [all, setAll] = useState(false);
  const [defining, setDefining] = useState<Column | null>(null);
  if (reading.shape !== "table") return null;
  const roles = reading.columns.map(({ role }) => role);
  const setRoles = (columns: ColumnRole[]) => session.setOverride({ ...override, shape: "table", columns });
  const columns = reading.columns.map((column, index) => ({ ...column, index }));
  const menus = (some: Column[]) =>
    some.map((column) => (
      <ColumnMenu
        key={column.index}
        column={column}
        fields={reading.fields}
        onChoose={(role) => setRoles(withRole(roles, column.index, role))}
        onDefine={() => setDefining(column)}
      />
    ));
  const ignored = columns.filter(({ role, empty }) => role === "ignored" && !empty);
  const more = all ? 0 : ignored.length - ignoredAtFirst;
  return (
    <fieldset className={styles.columns} aria-label={t("columns.label")}>
      <Group gap="0 12">{menus(columns.filter(({ role }) => role !== "ignored"))}</Group>
      <Group gap="0 12">
        {ignored.length > 0 && <span>{t("columns.ignored")}</span>}
        {menus(more > 0 ? ignored.slice(0, ignoredAtFirst) : ignored)}
        {more > 0 && <LinkButton onClick={() => setAll(true)}>{t("andMore", { n: more })}</LinkButton>}
      </Group>
      {defining && (
        <FieldForm
          field={null}
          begin={{ label: defining.title.replace(/^fields\./i, ""), type: guessFieldType(defining.samples) }}
          onDefined={async (key) => {
            await session.forgetFields();
            setRoles(withRole(roles, defining.index, roleOfField({ key })));
          }}
          onClose={() => setDefining(null)}
        />
      )}
    </fieldset>
  );
}

type ColumnMenuProps = {
  column: Column;
  fields: readonly ListField[];
  /** @param role the column's new meaning */
  onChoose(role: ColumnRole): void;
  /** The staff member wants to define a field for this column. */
  onDefine(): void;
};

function ColumnMenu({ column, fields, onChoose, onDefine }: ColumnMenuProps) {
  const t = useTranslations("imports");
  const { role, samples } = column;
  const title = labelOfColumn(column.title, t);
  const roles = [
    ...columnRoles.map((value) => ({ value, label: t(`columns.roles.${value}`) })),
    ...fields.map((field) => ({ value: roleOfField(field), label: field.label })),
  ];
  const roleLabel = roles.find(({ value }) => value === role)?.label ?? t("columns.roles.ignored");
  // "Unsubscribed: yes, no or a day"
  const word = roleLabel.split(":", 1).join("").trim();
  const isPlain = role === "ignored" || title.toLowerCase() === word.toLowerCase();
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <UnstyledButton aria-label={t("columns.menu", { title: columnTitle(column.title), role: word })}>
          {isPlain ? title : `${title} → `}
          {!isPlain && <b>{word}</b>}
          <icons.down />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={styles.roles}>
        {samples.length > 0 && <Menu.Label>{samples.join(" · ")}</Menu.Label>}
        <Menu.RadioGroup value={role} onChange={(value) => onChoose(value as ColumnRole)}>
          {roles.map(({ value, label }) => (
            <Menu.RadioItem key={value} value={value} closeMenuOnClick>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<icons.add />} onClick={onDefine}>
          {t("columns.define")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
