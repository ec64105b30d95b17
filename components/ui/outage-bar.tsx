"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { icons } from "./icons";
import styles from "./kit.module.css";
import { useOutage, watchOutages } from "./outage";

const words = {
  rollcall: "Rollcall can't be reached.",
  database: "Rollcall can't reach its database.",
};

/** One bar while what the page shows cannot be read; it goes by itself. */
export function OutageBar() {
  const client = useQueryClient();
  useEffect(() => watchOutages(client), [client]);
  const outage = useOutage();
  if (outage === null) return null;
  return (
    <p role="alert" className={styles.outage}>
      <icons.alert />
      {words[outage]} Rollcall keeps trying. Your input is not lost.
    </p>
  );
}
