import { UnstyledButton, useMantineColorScheme } from "@mantine/core";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useQueryState } from "nuqs";
import { Fragment } from "react";
import { useTranslations } from "use-intl";
import { useSegments } from "../segments/use-segments";
import { signOut } from "../sign-in/call-auth";
import { Menu } from "../ui/floating";
import { icons } from "../ui/icons";
import { parseAsId } from "../ui/parse-as-id";
import { leave } from "../ui/unsaved";
import { places } from "./places";
import styles from "./shell.module.css";
import { useModKey } from "./shortcuts";
import { Switcher } from "./switcher";
import { useViewer } from "./viewer";

type Props = { onSearch(): void; onShortcuts(): void };

/** The frame's sidebar: the newsletter, its pages and the signed-in staff member. */
export function Navigation({ onSearch, onShortcuts }: Props) {
  const t = useTranslations("shell");
  const tUi = useTranslations("ui");
  const pathname = usePathname();
  const { newsletterId, staff, version } = useViewer();
  const [segment] = useQueryState("segment", parseAsId);
  const modKey = useModKey();
  const base = `/n/${newsletterId}`;
  return (
    <>
      <div className={styles.sideTop}>
        <Switcher />
      </div>
      <UnstyledButton className={styles.search} onClick={onSearch}>
        <icons.search />
        <span>{t("navigation.search")}</span>
        <kbd>{modKey}K</kbd>
      </UnstyledButton>
      <nav aria-label={t("navigation.label")}>
        {places.map(({ path, name, icon: Icon }) => {
          const here = path === "" ? pathname === base : pathname.startsWith(base + path);
          const hasSegments = path === "/people";
          const isShown = here && !(hasSegments && segment);
          return (
            <Fragment key={name}>
              <Link href={base + path} className={styles.place} aria-current={isShown ? "page" : undefined}>
                <Icon />
                {t(`places.${name}`)}
              </Link>
              {hasSegments && <Segments shown={here ? segment : null} />}
            </Fragment>
          );
        })}
      </nav>
      <Menu position="top-start" width={216}>
        <Menu.Target>
          <UnstyledButton className={styles.me}>
            <span>
              <b>{staff.name}</b>
              {tUi(`roles.${staff.role}`)}
            </span>
            <icons.more />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <SchemeChoice />
          <Menu.Divider />
          <Menu.Item onClick={onShortcuts} rightSection={<kbd>?</kbd>}>
            {t("shortcuts.title")}
          </Menu.Item>
          <Menu.Item component={Link} href={`${base}/settings/you`}>
            {t("navigation.you")}
          </Menu.Item>
          <Menu.Item leftSection={<icons.out />} onClick={() => leave(signOut)}>
            {t("navigation.signOut")}
          </Menu.Item>
          <Menu.Label>Rollcall {version}</Menu.Label>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

/** The saved segments, below the page that lists people. */
function Segments({ shown }: { shown: string | null }) {
  const t = useTranslations("shell.navigation");
  const { newsletterId } = useViewer();
  const all = useSegments();
  if (all.length === 0) return null;
  return (
    <ul className={styles.segments} aria-label={t("segments")}>
      {all.map(({ id, name, isNested }) => (
        <li key={id}>
          <Link
            href={`/n/${newsletterId}/people?segment=${id}`}
            className={styles.place}
            aria-current={shown === id ? "page" : undefined}
            title={isNested ? t("isNested", { name }) : name}
          >
            <span>{name}</span>
            {isNested && <span className={styles.rebuild}>{t("rebuild")}</span>}
          </Link>
        </li>
      ))}
    </ul>
  );
}

export const schemes = [
  { value: "light", icon: icons.sun },
  { value: "dark", icon: icons.moon },
  { value: "auto", icon: icons.auto },
] as const;

/** Light, dark or system scheme. The browser stores the choice. */
function SchemeChoice() {
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
          rightSection={<Icon />}
          onChange={() => setColorScheme(value)}
        >
          {t(`schemes.${value}`)}
        </Menu.RadioItem>
      ))}
    </>
  );
}
