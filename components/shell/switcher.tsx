import { Text, UnstyledButton } from "@mantine/core";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { Menu } from "../ui/floating";
import { icons, Mark } from "../ui/icons";
import { onDemand } from "../ui/on-demand";
import styles from "./shell.module.css";
import { useViewer } from "./viewer";

// The form weighs 12 kB, and most visits never open it.
const NewNewsletter = onDemand(() => import("./new-newsletter"));

type Newsletter = ReturnType<typeof useViewer>["newsletters"][number];
const isOpen = ({ archivedAt }: Newsletter) => archivedAt === null;

/** Switches to the same page of another newsletter. */
export function Switcher() {
  const t = useTranslations("shell");
  const { newsletter, newsletters, account, isOwner } = useViewer();
  const pathname = usePathname();
  const [creating, setCreating] = useState(false);
  // An id after the page belongs to this newsletter, so it is dropped. The part after "settings" is a page too.
  const [place, ...after] = pathname.split("/").slice(3);
  const page = place === "settings" ? [place, ...after].join("/") : place;
  const closed = newsletters.filter((one) => !isOpen(one));
  const item = ({ id, name, removeAt }: Newsletter) => (
    <Menu.Item
      key={id}
      component={Link}
      href={page ? `/n/${id}/${page}` : `/n/${id}`}
      rightSection={id === newsletter.id ? <icons.check /> : null}
      aria-current={id === newsletter.id ? "true" : undefined}
    >
      {name}
      {removeAt && <Text component="span" c="dimmed" inherit>{` ${t("switcher.deleted")}`}</Text>}
    </Menu.Item>
  );
  return (
    <>
      <Menu position="bottom-start" width={232}>
        <Menu.Target>
          <UnstyledButton className={styles.switcher}>
            <Mark size={18} />
            <span>{newsletter.name}</span>
            <icons.down />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{account.name}</Menu.Label>
          {newsletters.filter(isOpen).map(item)}
          {closed.length > 0 && <Menu.Label>{t("switcher.archived")}</Menu.Label>}
          {closed.map(item)}
          {isOwner && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<icons.add />} onClick={() => setCreating(true)}>
                {t("newNewsletter.title")}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {creating && <NewNewsletter onClose={() => setCreating(false)} />}
    </>
  );
}
