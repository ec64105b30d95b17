import { ActionIcon } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Menu } from "./floating";
import { icons } from "./icons";

type Props = {
  /** Names the menu's subject for screen readers. */
  label: string;
  /** The menu is in the bar at the bottom of the page, between framed buttons. */
  inBar?: boolean;
  children: ReactNode;
};

/** A menu of further actions behind three dots. Its children are `<Menu.Item>`s. */
export function MoreMenu({ label, inBar = false, children }: Props) {
  const t = useTranslations("ui.menu");
  return (
    <Menu position={inBar ? "top-end" : "bottom-end"} width={260}>
      <Menu.Target>
        <ActionIcon
          {...(inBar && { variant: "default", size: 32 })}
          aria-label={t("moreFor", { what: label })}
        >
          <icons.more />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
