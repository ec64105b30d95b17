import { ActionIcon, Menu } from "@mantine/core";
import type { ReactNode } from "react";
import { icons } from "./icons";

/** What else can be done with a row: `<Menu.Item>`s behind three dots. `label` names the row for screen readers. */
export function MoreMenu({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`More for ${label}`}>
          <icons.more />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
