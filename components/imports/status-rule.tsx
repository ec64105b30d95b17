import { Radio } from "@mantine/core";
import { noKey } from "../mails/mail-words";
import { useViewer } from "../shell/viewer";
import { count } from "../ui/numbers";
import styles from "./form.module.css";
import type { Reading, StatusRule } from "./reading/messages";
import type { List } from "./use-list";

const ruleWords: Record<StatusRule, string> = {
  list: "As the list says",
  pending: "Pending",
  active: "Active",
};

/** Which status new people get, in one sentence with three choices. */
export function StatusRuleChoice({ list }: { list: List }) {
  const { sends } = useViewer();
  const { reading, statusRule, session } = list;
  const { active = 0, pending = 0 } = reading?.ownStatuses ?? {};
  const rules: StatusRule[] = active + pending > 0 ? ["list", "pending", "active"] : ["pending", "active"];
  return (
    <Radio.Group
      label="New people are"
      value={statusRule}
      onChange={(rule) => session.setStatusRule(rule as StatusRule)}
      description={reading && explain(statusRule, reading, sends)}
      inputWrapperOrder={["label", "input", "description", "error"]}
    >
      <div className={styles.rules}>
        {rules.map((rule) => (
          <Radio key={rule} value={rule} label={ruleWords[rule]} />
        ))}
      </div>
    </Radio.Group>
  );
}

function explain(rule: StatusRule, { ownStatuses, counts }: Reading, sends: boolean): string {
  const { active, pending } = ownStatuses;
  const asked = sends
    ? "is asked by mail to confirm"
    : `gets a confirmation that is written and kept here: ${noKey}`;
  const stays = counts.leaving > 0 ? " Who has opted out is added as unsubscribed, whatever is chosen." : "";
  if (rule === "active")
    return `On the list at once, without a mail. Say below where they agreed: that is the proof of their consent.${stays}`;
  if (rule === "pending") {
    const own = active > 0 ? ` That the list calls ${count(active)} active is not followed.` : "";
    return `Each ${asked}.${own}${stays}`;
  }
  const none = counts.ready - active - pending;
  const others = none > 0 ? `, and ${count(none)} of whom it says nothing are pending` : "";
  return `It calls ${count(active)} active and ${count(pending)} pending${others}. Who is pending ${asked}.${stays}`;
}
