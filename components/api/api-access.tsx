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
      notify(input.on ? "The API answers again." : "The API is off: every key is rejected.");
    },
  });
  return (
    <div className={styles.access} data-off={on ? undefined : true}>
      <Switch
        label={on ? "API access is on" : "API access is off"}
        description={
          on
            ? `API access is on for ${account.name}.`
            : `Every key of ${account.name} is rejected, on every newsletter.`
        }
        checked={on}
        disabled={!isOwner}
        onChange={() => (on ? setAsking(true) : change.mutate({ on: true }))}
      />
      {asking && (
        <Confirm
          title="Switch the API off?"
          action="Switch the API off"
          danger
          busy={change.isPending}
          error={change.error}
          onConfirm={() => change.mutate({ on: false })}
          onClose={() => setAsking(false)}
        >
          <p>
            Every call with any key of {account.name} is rejected until it is on again. Nothing is deleted,
            and pages and mails go on.
          </p>
        </Confirm>
      )}
    </div>
  );
}
