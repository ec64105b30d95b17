"use client";
import { Menu } from "@mantine/core";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { postAuth } from "../sign-in/post-auth";
import { icons } from "../ui/icons";
import { notifyError } from "../ui/notify";
import { places } from "./places";
import { SchemeChoice } from "./scheme-choice";
import styles from "./shell.module.css";
import { useViewer } from "./viewer";

async function signOut() {
  try {
    await postAuth("sign-out", {});
    window.location.assign("/sign-in");
  } catch (error) {
    notifyError(error);
  }
}

export function Navigation({ onSearch, onShortcuts }: { onSearch(): void; onShortcuts(): void }) {
  const pathname = usePathname();
  const { newsletterId, staff } = useViewer();
  const base = `/n/${newsletterId}`;
  return (
    <>
      <button type="button" className={styles.search} onClick={onSearch}>
        <icons.search />
        <span>Search and go</span>
        <kbd>⌘K</kbd>
      </button>
      <nav aria-label="Newsletter" className={styles.places}>
        {places.map(({ path, label, icon: Icon }) => {
          const here = path === "" ? pathname === base : pathname.startsWith(base + path);
          return (
            <Link
              key={label}
              href={base + path}
              className={styles.place}
              aria-current={here ? "page" : undefined}
            >
              <Icon />
              {label}
            </Link>
          );
        })}
      </nav>
      <div className={styles.bottom}>
        <Menu position="top-start" width={216}>
          <Menu.Target>
            <button type="button" className={styles.me}>
              <span className={styles.meText}>
                <span className={styles.meName}>{staff.name}</span>
                <span className={styles.meRole}>{staff.role}</span>
              </span>
              <icons.more />
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            <SchemeChoice />
            <Menu.Divider />
            <Menu.Item onClick={onShortcuts} rightSection={<kbd>?</kbd>}>
              Keyboard shortcuts
            </Menu.Item>
            <Menu.Item component={Link} href={`${base}/settings#you`}>
              Password and sessions
            </Menu.Item>
            <Menu.Item leftSection={<icons.out />} onClick={signOut}>
              Sign out
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
    </>
  );
}
