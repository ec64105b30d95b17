import { Group, Radio, Text } from "@mantine/core";
import type { StatusRule } from "@/server/contract/imports";
import { noKey } from "../mails/mail-words";
import { useViewer } from "../shell/viewer";
import { count } from "../ui/numbers";
import { ruleWords } from "./import-words";
import type { Reading } from "./reading/messages";
import type { List } from "./use-list";

const stays = "People who opted out are added as unsubscribed, so that no import can add them back.";

/** Which status new people get, in one sentence with three choices. */
export function StatusRuleChoice({ list }: { list: List }) {
  const { sends } = useViewer();
  const { reading, statusRule, session } = list;
  if (!reading) return null;
  const { counts, saysStatus } = reading;
  if (counts.ready + counts.here + counts.fix + counts.asked === 0)
    return <Text c="dimmed">{counts.leaving > 0 && stays}</Text>;
  const rules: StatusRule[] = saysStatus ? ["list", "pending", "active"] : ["pending", "active"];
  return (
    <Radio.Group
      label="New people are"
      value={statusRule}
      onChange={(rule) => session.setStatusRule(rule as StatusRule)}
      description={explain(statusRule, reading, sends)}
      inputWrapperOrder={["label", "input", "description", "error"]}
    >
      <Group gap="8 20" mt={4} mb="xs">
        {rules.map((rule) => (
          <Radio key={rule} value={rule} label={ruleWords[rule]} />
        ))}
      </Group>
    </Radio.Group>
  );
}

function explain(rule: StatusRule, { ownStatuses, counts }: Reading, sends: boolean): string {
  const { active, pending } = ownStatuses;
  const asked = sends
    ? "Pending people receive a confirmation email."
    : `Confirmation emails for pending people are stored but not sent: ${noKey}.`;
  const others = counts.leaving > 0 ? ` ${stays}` : "";
  if (rule === "active")
    return `Added immediately, without an email. State below where they agreed: that is the proof of consent.${others}`;
  if (rule === "pending") {
    const own = active > 0 ? ` The status of ${count(active)} active people in the list is ignored.` : "";
    return `${asked}${own}${others}`;
  }
  const none = counts.ready - active - pending;
  const said = [active > 0 && `${count(active)} active`, pending > 0 && `${count(pending)} pending`];
  const calls = `In the list: ${said.filter(Boolean).join(" and ") || "no one active or pending"}`;
  const silent = none > 0 ? `, and ${count(none)} without a status ${none === 1 ? "is" : "are"} pending` : "";
  const mailed = pending + none > 0 ? ` ${asked}` : "";
  return `${calls}${silent}.${mailed}${others}`;
}
