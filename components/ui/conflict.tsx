import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { isConflictError } from "./error-of";
import styles from "./kit.module.css";

type Versioned = { version: number } | null;

/**
 * Saves a form with the version that it was opened with. The server rejects a save after another person's, and the page
 * reads the record again (see trpc.ts). The form then shows both versions. Its next save replaces the other version.
 * @param current the record as the page last read it; null while there is none
 */
export function useConflict<Stored extends Versioned>(current: Stored) {
  const [opened] = useState(current);
  const [isRejected, setIsRejected] = useState(false);
  const isConflict = isRejected && current?.version !== opened?.version;

  async function save<Result>(store: (base: Stored) => Promise<Result>): Promise<Result> {
    try {
      // Only a version that the form shows may be replaced.
      return await store(isConflict ? current : opened);
    } catch (error) {
      if (isConflictError(error)) setIsRejected(true);
      throw error;
    }
  }

  return { opened, isConflict, save };
}

/** Shows what another person saved, after a conflict. */
export function Theirs({ children }: { children: ReactNode }) {
  const t = useTranslations("ui.conflict");
  return (
    <div role="status">
      <p>{t("theirs")}</p>
      <blockquote className={styles.theirs}>{children}</blockquote>
    </div>
  );
}
