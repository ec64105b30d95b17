import { Group, Radio, Text } from "@mantine/core";
import { useTranslations } from "use-intl";
import type { StatusRule } from "@/server/imports/schema/imports";
import { useViewer } from "../shell/viewer";
import type { Texts } from "../texts/texts";
import type { Reading } from "./reading/messages";
import type { List } from "./use-list";

/** Chooses the status of new people, in one sentence with three choices. */
export function StatusRuleChoice({ list }: { list: List }) {
  const t = useTranslations("imports");
  const { sends } = useViewer();
  const { reading, statusRule, session } = list;
  if (!reading) return null;
  const { counts, saysStatus } = reading;
  if (counts.ready + counts.here + counts.fix + counts.asked === 0)
    return <Text c="dimmed">{counts.leaving > 0 && t("status.optOuts")}</Text>;
  const rules: StatusRule[] = saysStatus ? ["list", "pending", "active"] : ["pending", "active"];
  return (
    <Radio.Group
      label={t("status.label")}
      value={statusRule}
      onChange={(rule) => session.setStatusRule(rule as StatusRule)}
      description={explain({ rule: statusRule, reading, sends }, t)}
      inputWrapperOrder={["label", "input", "description", "error"]}
    >
      <Group gap="8 20" mt={4} mb="xs">
        {rules.map((rule) => (
          <Radio key={rule} value={rule} label={t(`rules.${rule}`)} />
        ))}
      </Group>
    </Radio.Group>
  );
}

type Explained = { rule: StatusRule; reading: Reading; sends: boolean };

function explain({ rule, reading: { ownStatuses, counts }, sends }: Explained, t: Texts<"imports">) {
  const { active, pending } = ownStatuses;
  const asked = sends ? t("status.mailed") : t("status.stored");
  const optOuts = counts.leaving > 0 && t("status.optOuts");
  if (rule === "active") return sentences(t("status.active"), optOuts);
  if (rule === "pending")
    return sentences(asked, active > 0 && t("status.ownIgnored", { n: active }), optOuts);
  const none = counts.ready - active - pending;
  const own = active > 0 && pending > 0 ? "both" : active > 0 ? "active" : pending > 0 ? "pending" : "nobody";
  const said =
    none > 0
      ? t(`status.ownAndNone.${own}`, { active, pending, none })
      : t(`status.own.${own}`, { active, pending });
  return sentences(said, pending + none > 0 && asked, optOuts);
}

const sentences = (...all: (string | false)[]) => all.filter(Boolean).join(" ");
