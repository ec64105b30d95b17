import { useTranslations } from "use-intl";
import { Dialog } from "../ui/dialog";
import { useVerbLabel, type VerbName, verbKeys } from "../ui/verbs";
import { places } from "./places";
import styles from "./shell.module.css";
import { useModKey } from "./shortcuts";

type Row = [keys: string, what: string];

function useLists() {
  const t = useTranslations("shell");
  const labelOf = useVerbLabel();
  const mod = useModKey();
  const keyed = Object.entries(verbKeys).map(
    ([verb, key]): Row => [key.toUpperCase(), labelOf(verb as VerbName)],
  );
  const lists = {
    anywhere: [
      [`${mod}K`, t("shortcuts.actions.search")],
      [`${mod}Z`, t("shortcuts.actions.undo")],
      ["?", t("shortcuts.actions.showList")],
      ...places.map(({ key, name }): Row => [`G ${key.toUpperCase()}`, t(`places.${name}`)]),
    ],
    people: [
      ["/", t("shortcuts.actions.searchPeople")],
      ["J K", t("shortcuts.actions.stepPerson")],
      ["Enter", t("shortcuts.actions.openPerson")],
      ["Esc", t("shortcuts.actions.closePerson")],
      ["X", t("shortcuts.actions.selectPerson")],
      ["⇧X", t("shortcuts.actions.selectRange")],
      [`${mod}A`, t("shortcuts.actions.selectPage")],
      ...keyed,
    ],
    mails: [
      ["J K", t("shortcuts.actions.stepMail")],
      ["Esc", t("shortcuts.actions.closeMail")],
    ],
    pasteList: [[`${mod}↵`, labelOf("check")]],
  } satisfies Record<string, Row[]>;
  return Object.entries(lists).map(([name, rows]) => ({
    title: t(`shortcuts.sections.${name as keyof typeof lists}`),
    rows,
  }));
}

export default function ShortcutList({ onClose }: { onClose(): void }) {
  const t = useTranslations("shell.shortcuts");
  const lists = useLists();
  return (
    <Dialog onClose={onClose} title={t("title")}>
      {lists.map(({ title, rows }) => (
        <section key={title} className={styles.keys}>
          <h3>{title}</h3>
          <dl>
            {rows.map(([keys, what]) => (
              <div key={keys}>
                <dt>{what}</dt>
                <dd>
                  {keys.split(" ").map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
