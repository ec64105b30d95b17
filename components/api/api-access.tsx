"use client";
import { Switch } from "@mantine/core";
import { useState } from "react";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { Confirm } from "../ui/confirm";
import { notify } from "../ui/notify";
import styles from "./api.module.css";

/** The account's switch: off rejects every key of every newsletter at once. */
export function ApiAccess({ on }: { on: boolean }) {
  const { isOwner, account } = useViewer();
  const [asking, setAsking] = useState(false);
  const change = api.account.apiAccess.useMutation({
    onSuccess: (_, input) => {
      setAsking(false);
      notify(input.on ? "API access is on." : "API access is off. All keys are rejected.");
    },
  });
  return (
    <div className={styles.access} data-off={on ? undefined : true}>
      <Switch
        label={on ? "API access is on" : "API access is off"}
        description={
          on
            ? `API access is on for ${account.name}.`
            : `All keys of ${account.name} are rejected, for every newsletter.`
        }
        checked={on}
        disabled={!isOwner}
        onChange={() => (on ? setAsking(true) : change.mutate({ on: true }))}
      />
      {asking && (
        <Confirm
          title="Turn off API access?"
          action="Turn off API access"
          danger
          busy={change.isPending}
          error={change.error}
          onConfirm={() => change.mutate({ on: false })}
          onClose={() => setAsking(false)}
        >
          <p>
            Every call with any key of {account.name} is rejected until you turn it on again. No data is
            deleted. Public pages and emails keep working.
          </p>
        </Confirm>
      )}
    </div>
  );
}
