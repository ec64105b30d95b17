"use client";
import { Button, Menu } from "@mantine/core";
import type { useExport } from "./use-export";

/** The files that people can be exported into. */
export function ExportMenu({ onSave }: { onSave: ReturnType<typeof useExport>["save"] }) {
  return (
    <Menu position="top-end" width={220}>
      <Menu.Target>
        <Button variant="default">Export</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onSave("csv")}>CSV, for a spreadsheet</Menu.Item>
        <Menu.Item onClick={() => onSave("csv", true)}>CSV, with unsubscribe links</Menu.Item>
        <Menu.Item onClick={() => onSave("json")}>JSON, for a program</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
