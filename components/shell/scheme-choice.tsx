import { Menu, useMantineColorScheme } from "@mantine/core";
import { icons } from "../ui/icons";

export const schemes = [
  { value: "light", label: "Light", icon: icons.sun },
  { value: "dark", label: "Dark", icon: icons.moon },
  { value: "auto", label: "System", icon: icons.auto },
] as const;

/** Light, dark, or as the system has it; remembered by this browser. */
export function SchemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Label>Colours</Menu.Label>
      {schemes.map(({ value, label, icon: Icon }) => (
        <Menu.RadioItem
          key={value}
          value={value}
          checked={colorScheme === value}
          checkIcon={<icons.check />}
          rightSection={<Icon />}
          onChange={() => setColorScheme(value)}
        >
          {label}
        </Menu.RadioItem>
      ))}
    </>
  );
}
