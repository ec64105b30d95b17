import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslations } from "use-intl";
import { icons } from "./icons";
import styles from "./kit.module.css";
import { useOutage, watchOutages } from "./outage";

/** A bar during an outage. It disappears when the outage ends. */
export function OutageBar() {
  const t = useTranslations("ui");
  const client = useQueryClient();
  useEffect(() => watchOutages(client), [client]);
  const outage = useOutage();
  if (outage === null) return null;
  return (
    <p role="alert" className={styles.outage}>
      <icons.alert />
      {t(`outage.${outage}`)}
    </p>
  );
}
