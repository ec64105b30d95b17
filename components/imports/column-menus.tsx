import { Anchor, Group, Menu, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { fieldOfRole, guessFieldType, roleOfField } from "@/server/domain/list-parser/attribute-cells";
import {
  type ColumnRole,
  type ListColumn,
  type ListField,
  roleWords,
} from "@/server/domain/list-parser/list-types";
import { FieldForm } from "../settings/field-form";
import { icons } from "../ui/icons";
import styles from "./form.module.css";
import { withNamesSwapped, withRole } from "./reading/column-roles";
import type { List } from "./use-list";

const ignoredAtFirst = 6;

type Column = ListColumn & { index: number; samples: string[] };

/** A table's own columns, each with what it means and a menu that corrects it; what is ignored is named. */
export function ColumnMenus({ list: { reading, override, session } }: { list: List }) {
  const [all, setAll] = useState(false);
  const [defining, setDefining] = useState<Column | null>(null);
  if (reading?.shape !== "table") return null;
  const roles = reading.columns.map(({ role }) => role);
  const setRoles = (columns: ColumnRole[]) => session.setOverride({ ...override, shape: "table", columns });
  const columns = reading.columns.map((column, index) => ({
    ...column,
    index,
    samples: reading.samples[index] ?? [],
  }));
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
    <fieldset className={styles.columns} aria-label="Columns of the list">
      <Group gap="0 12">
        {menus(columns.filter(({ role }) => role !== "ignored"))}
        {roles.includes("firstName") && roles.includes("lastName") && (
          <Anchor
            component="button"
            type="button"
            size="sm"
            onClick={() => setRoles(withNamesSwapped(roles))}
          >
            Swap first and last name
          </Anchor>
        )}
      </Group>
      <Group gap="0 12">
        {ignored.length > 0 && <span>Ignored:</span>}
        {menus(more > 0 ? ignored.slice(0, ignoredAtFirst) : ignored)}
        {more > 0 && (
          <Anchor component="button" type="button" size="sm" onClick={() => setAll(true)}>
            and {more} more
          </Anchor>
        )}
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

const wordOf = (role: ColumnRole, fields: readonly ListField[]): string =>
  role in roleWords
    ? roleWords[role as keyof typeof roleWords]
    : (fieldOfRole(role, fields)?.label ?? roleWords.ignored);

type ColumnMenuProps = {
  column: Column;
  fields: readonly ListField[];
  /** @param role what the column is to mean */
  onChoose(role: ColumnRole): void;
  /** A field is to be defined for it. */
  onDefine(): void;
};

function ColumnMenu({ column, fields, onChoose, onDefine }: ColumnMenuProps) {
  const { title, role, samples } = column;
  // "Unsubscribed: yes, no or a day"
  const [word = ""] = wordOf(role, fields).split(":");
  const isPlain = role === "ignored" || title.toLowerCase() === word.toLowerCase();
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <UnstyledButton aria-label={`Column ${title}: ${word}`}>
          {isPlain ? title : `${title} → `}
          {!isPlain && <b>{word}</b>}
          <icons.down />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={styles.roles}>
        {samples.length > 0 && <Menu.Label>{samples.join(" · ")}</Menu.Label>}
        <Menu.RadioGroup value={role} onChange={(value) => onChoose(value as ColumnRole)}>
          {[
            ...Object.entries(roleWords),
            ...fields.map((field) => [roleOfField(field), field.label] as const),
          ].map(([value, label]) => (
            <Menu.RadioItem key={value} value={value} checkIcon={<icons.check />} closeMenuOnClick>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<icons.add />} onClick={onDefine}>
          Define a field for it
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
