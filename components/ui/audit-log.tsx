import { Button } from "@mantine/core";
import { useTranslations } from "use-intl";
import { type AuditEntry, useAuditWords } from "./audit-words";
import styles from "./kit.module.css";
import { Time } from "./time";

type Props = {
  entries: AuditEntry[];
  withAddress?: boolean;
  /** Adds an undo button to each undoable entry. */
  onUndo?(bulkAction: { id: string; newsletterId: string }): void;
};

/** Lists audit entries with actor, action, time and IP address. */
export function AuditLog({ entries, withAddress = false, onUndo }: Props) {
  const t = useTranslations("ui");
  const { whoOf, wordsOf } = useAuditWords();
  if (entries.length === 0) return <p className={styles.quiet}>{t("auditLog.none")}</p>;
  return (
    <ul className={styles.rows}>
      {entries.map((entry) => {
        const { id, undoIn } = entry;
        return (
          <li key={id}>
            <span className={styles.entry}>
              <b>{whoOf(entry)}</b> {wordsOf(entry)}
            </span>
            {onUndo && undoIn && (
              <Button
                variant="default"
                size="compact-xs"
                onClick={() => onUndo({ id, newsletterId: undoIn })}
              >
                {t("verbs.undo")}
              </Button>
            )}
            {withAddress && <span className={styles.quiet}>{entry.address}</span>}
            <span className={styles.quiet}>
              <Time at={entry.at} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}
