"use client";
import { Switch } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useTranslations } from "use-intl";
import { pendingDaysBounds, reminderDays } from "@/server/kernel/durations";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { SettingsForm, useSettingsForm } from "../ui/form";
import kit from "../ui/kit.module.css";
import { Loaded } from "../ui/list-page";
import { WholeNumberInput } from "./whole-number-input";

const { least, most } = pendingDaysBounds;
const suggestedDays = 30;

type Rules = Outputs["newsletters"]["pendingRules"];

/** The settings for people who never answer their confirmation email. */
export function PendingPeople() {
  const { newsletterId } = useViewer();
  const query = api.newsletters.pendingRules.useQuery({ newsletterId, days: suggestedDays });
  return (
    <Loaded query={query} rows={3}>
      {(rules) => <PendingForm key={newsletterId} rules={rules} />}
    </Loaded>
  );
}

type Values = { reminder: boolean; removes: boolean; days: number | string };
const rulesOf = ({ reminder, removes, days }: Values) => ({ reminder, days: removes ? Number(days) : null });

function PendingForm({ rules }: { rules: Rules }) {
  const t = useTranslations("settings.pending");
  const { newsletterId, noManage } = useViewer();
  const save = api.newsletters.savePendingRules.useMutation();
  const initial: Values = {
    reminder: rules.reminder,
    removes: rules.days !== null,
    days: rules.days ?? suggestedDays,
  };
  const form = useSettingsForm(initial, async (values, { was }) => {
    await save.mutateAsync({ newsletterId, rules: rulesOf(values), was: rulesOf(was) });
    return values.removes ? t("savedRemoving") : t("savedKeeping");
  });
  const { removes, days } = form.values;
  return (
    <SettingsForm form={form} readOnly={noManage}>
      <Switch {...form.checkbox("reminder", t("reminder", { days: reminderDays }), t("reminderHint"))} />
      <Switch {...form.checkbox("removes", t("removal"), t("removalHint"))} />
      {removes && (
        <WholeNumberInput
          {...form.input("days", t("days"), t("daysHint", { least, most }))}
          min={least}
          max={most}
        />
      )}
      {removes && <WouldGo days={Number(days)} />}
    </SettingsForm>
  );
}

/** The number of people that this setting would remove now, shown before it is enabled. */
function WouldGo({ days }: { days: number }) {
  const t = useTranslations("settings.pending");
  const { newsletterId } = useViewer();
  const [settled] = useDebouncedValue(days, 250);
  const isValid = Number.isInteger(settled) && settled >= least && settled <= most;
  const { data } = api.newsletters.pendingRules.useQuery(
    { newsletterId, days: settled },
    { enabled: isValid, placeholderData: (before) => before },
  );
  if (!isValid || !data || data.wouldGo.days !== days) return null;
  const { people: n, isMore } = data.wouldGo;
  return (
    <p className={kit.quiet} role="status">
      {isMore ? t("wouldGoAtLeast", { n, days }) : t("wouldGo", { n, days })}
    </p>
  );
}
