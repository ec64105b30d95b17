import { Menu, useMantineColorScheme } from "@mantine/core";
import { useTranslations } from "use-intl";
import { icons } from "../ui/icons";

export const schemes = [
  { value: "light", icon: icons.sun },
  { value: "dark", icon: icons.moon },
  { value: "auto", icon: icons.auto },
] as const;

/** Light, dark or system scheme. The browser stores the choice. */
export function SchemeChoice() {
  const t = useTranslations("shell.colours");
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Label>{t("title")}</Menu.Label>
      {schemes.map(({ value, icon: Icon }) => (
        <Menu.RadioItem
          key={value}
          value={value}
          checked={colorScheme === value}
          checkIcon={<icons.check />}
          rightSection={<Icon />}
          onChange={() => setColorScheme(value)}
        >
          {t(`schemes.${value}`)}
        </Menu.RadioItem>
      ))}
    </>
  );
}
