import "@mantine/dates/styles.layer.css";
import { DatePicker } from "@mantine/dates";
import "dayjs/locale/de";
import "dayjs/locale/es";
import "dayjs/locale/fr";
import { type ReactNode, useState } from "react";
import { useLocale, useTranslations } from "use-intl";
import kit from "../ui/kit.module.css";
import { LinkButton } from "../ui/link-button";
import styles from "./people.module.css";
import { daysAgo, formatDay, type Span, usualDays } from "./span";

type Days = [from: string | null, to: string | null];
type Props = { value: Span | null; onChange(span: Span | null): void; onDone(): void };

/** A day in the date picker's format: YYYY-MM-DD, in the reader's time zone. */
const dayBefore = (days: number) => daysAgo(days).toLocaleDateString("sv-SE");

/** Picks a preset span, or a first and a last day. Either day may be missing. */
export default function SpanPicker({ value, onChange, onDone }: Props) {
  const t = useTranslations("people.span");
  const language = useLocale();
  const { from = null, to = null } = value && "from" in value ? value : {};
  const [days, setDays] = useState<Days>([from ?? to, from && to]);
  const choose = (span: Span | null) => {
    onChange(span);
    onDone();
  };
  const change = ([first, last]: Days) => {
    setDays([first, last]);
    if (!first || !last) return onChange(first || last ? { from: first, to: last } : null);
    // After a first day, the click picks the last day. Otherwise it may pick a preset span.
    const usual =
      days[0] && !days[1] ? undefined : usualDays.find((length) => dayBefore(length - 1) === first);
    choose(usual && last === dayBefore(0) ? { days: usual } : { from: first, to: last });
  };
  const linkTo = (span: Span | null) => (chunks: ReactNode) => (
    <LinkButton onClick={() => choose(span)}>{chunks}</LinkButton>
  );
  const since = days[0] && !days[1] ? days[0] : null;
  return (
    <>
      <DatePicker
        className={styles.picker}
        type="range"
        size="sm"
        allowSingleDateInRange
        hideOutsideDates
        defaultDate={from ?? to ?? dayBefore(0)}
        maxDate={dayBefore(0)}
        // Red marks errors only, so weekends aren't red.
        weekendDays={[]}
        locale={language}
        presets={usualDays.map((length) => ({
          label: t("lastDays", { n: length }),
          value: [dayBefore(length - 1), dayBefore(0)] as Days,
        }))}
        value={days}
        onChange={change}
        ariaLabels={{ nextMonth: t("nextMonth"), previousMonth: t("previousMonth") }}
      />
      <p className={kit.quiet}>
        {since
          ? t.rich("chooseLast", {
              day: formatDay(since, language),
              link: linkTo({ from: null, to: since }),
            })
          : value
            ? t.rich("chooseOrAnyTime", { link: linkTo(null) })
            : t("choose")}
      </p>
    </>
  );
}
