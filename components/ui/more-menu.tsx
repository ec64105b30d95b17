import { ActionIcon, Menu } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { icons } from "./icons";

type Props = {
  /** Names for screen readers what it acts on. */
  label: string;
  /** It stands between buttons with frames, at the bottom of the page. */
  inBar?: boolean;
  children: ReactNode;
};

/** What else can be done with something: `<Menu.Item>`s behind three dots. */
export function MoreMenu({ label, inBar = false, children }: Props) {
  const t = useTranslations("ui.menu");
  const look = inBar ? { variant: "default", size: 32 } : { variant: "subtle", color: "gray" };
  return (
    <Menu position={inBar ? "top-end" : "bottom-end"} width={260}>
      <Menu.Target>
        <ActionIcon {...look} aria-label={t("moreFor", { what: label })}>
          <icons.more />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
